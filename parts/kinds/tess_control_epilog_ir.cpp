// SPDX-License-Identifier: MIT
//
// A tessellation control epilog as LLVM IR, for the amdgpu_vs calling convention.
#include "parts/compile/table_ir.h"
#include "parts/kinds/tess_control_epilog.h"
#include "src/abi/interface_slots.h"
#include "src/abi/link_constant.h"
#include "src/lgc/target/driver_tables.h"
#include <algorithm>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail {

namespace {

using namespace llvm;

constexpr uint32_t ControlWord = 0x80000000;
// In a patch's part of LDS.
constexpr unsigned OuterFactorsLds = 0;
constexpr unsigned InnerFactorsLds = 16;
// The auxiliary operand of buffer stores: the factors are read by other units than the shader.
constexpr unsigned Glc = 1;

class FactorEmitter {
public:
  FactorEmitter(Function &function, const TessControlEpilogKey &key)
      : m_function(function), m_key(key), m_builder(BasicBlock::Create(function.getContext(), "entry", &function)) {}

  void emit() {
    if (m_key.needsBarrier)
      emitBarrier();
    BasicBlock *writer = BasicBlock::Create(m_function.getContext(), "writer", &m_function);
    BasicBlock *end = BasicBlock::Create(m_function.getContext(), "end", &m_function);
    Value *isFirst = m_builder.CreateICmpEQ(input({ValueKind::TessInvocationId}), m_builder.getInt32(0));
    m_builder.CreateCondBr(isFirst, writer, end);

    m_builder.SetInsertPoint(writer);
    m_global = emitTableAddress(m_builder, input({ValueKind::GlobalTable}));
    m_relPatchId = input({ValueKind::RelPatchId});
    SmallVector<Value *, 4> outer =
        factors(ValueKind::TessFactorOuter, outerFactorCount(m_key.primitive), OuterFactorsLds);
    SmallVector<Value *, 4> inner =
        factors(ValueKind::TessFactorInner, innerFactorCount(m_key.primitive), InnerFactorsLds);
    writeForTessellator(outer, inner);
    if (m_key.evaluationReadsFactors) {
      writeOffchip(outer, TessLevelOuterSlot);
      writeOffchip(inner, TessLevelInnerSlot);
    }
    m_builder.CreateBr(end);

    m_builder.SetInsertPoint(end);
    m_builder.CreateRetVoid();
  }

private:
  // A value that the main part does not hand on is 0.
  Value *input(const ValueName &value) {
    for (size_t i = 0; i != m_key.inputs.size(); ++i)
      if (m_key.inputs[i].value == value)
        return m_function.getArg(unsigned(i));
    return m_builder.getInt32(0);
  }

  void emitBarrier() {
    SyncScope::ID workgroup = m_function.getContext().getOrInsertSyncScopeID("workgroup");
    m_builder.CreateFence(AtomicOrdering::Release, workgroup);
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, ArrayRef<Type *>(), ArrayRef<Value *>());
    m_builder.CreateFence(AtomicOrdering::Acquire, workgroup);
  }

  SmallVector<Value *, 4> factors(ValueKind kind, unsigned count, unsigned ldsOffset) {
    SmallVector<Value *, 4> result;
    if (!m_key.factorsInLds) {
      for (unsigned i = 0; i != count; ++i)
        result.push_back(input({kind, uint8_t(i)}));
      return result;
    }
    if (count == 0)
      return result;
    Value *address = m_builder.CreateAdd(input({ValueKind::TessFactorLds}), m_builder.getInt32(ldsOffset));
    Value *pointer = m_builder.CreateIntToPtr(address, m_builder.getPtrTy(AMDGPUAS::LOCAL_ADDRESS));
    for (unsigned i = 0; i != count; ++i)
      result.push_back(m_builder.CreateAlignedLoad(
          m_builder.getInt32Ty(), m_builder.CreateConstGEP1_32(m_builder.getInt32Ty(), pointer, i), Align(4)));
    return result;
  }

  void writeForTessellator(ArrayRef<Value *> outer, ArrayRef<Value *> inner) {
    Value *buffer = emitDescriptorLoad(m_builder, m_global, unsigned(GlobalTableEntry::TessFactorBuffer));
    Value *base = input({ValueKind::TessFactorOffset});
    unsigned start = 0;
    if (m_key.writesControlWord) {
      writeControlWord(buffer, base);
      start = 4;
    }
    SmallVector<Value *, 6> dwords(outer);
    // The hardware wants the number of lines behind the number of segments.
    if (m_key.primitive == TessPrimitive::Isolines)
      std::swap(dwords[0], dwords[1]);
    dwords.append(inner.begin(), inner.end());
    Value *offset = m_builder.CreateMul(m_relPatchId, m_builder.getInt32(unsigned(dwords.size()) * 4));
    for (unsigned first = 0; first < dwords.size(); first += 4) {
      ArrayRef<Value *> run = ArrayRef<Value *>(dwords).slice(first, std::min<size_t>(4, dwords.size() - first));
      store(run, buffer, m_builder.CreateAdd(offset, m_builder.getInt32(start + first * 4)), base);
    }
  }

  void writeControlWord(Value *buffer, Value *base) {
    LLVMContext &context = m_function.getContext();
    BasicBlock *firstPatch = BasicBlock::Create(context, "first.patch", &m_function);
    BasicBlock *rest = BasicBlock::Create(context, "factors", &m_function);
    m_builder.CreateCondBr(m_builder.CreateICmpEQ(m_relPatchId, m_builder.getInt32(0)), firstPatch, rest);
    m_builder.SetInsertPoint(firstPatch);
    store(m_builder.getInt32(ControlWord), buffer, m_builder.getInt32(0), base);
    m_builder.CreateBr(rest);
    m_builder.SetInsertPoint(rest);
  }

  // A per-patch slot of the off-chip buffer.
  void writeOffchip(ArrayRef<Value *> values, unsigned slot) {
    if (values.empty())
      return;
    Value *buffer = emitDescriptorLoad(m_builder, m_global, unsigned(GlobalTableEntry::OffchipBuffer));
    Value *place = m_relPatchId;
    if (slot)
      place = m_builder.CreateAdd(
          place, m_builder.CreateMul(linkConstant(LinkConstant::PatchesPerGroup), m_builder.getInt32(slot)));
    Value *offset = m_builder.CreateAdd(m_builder.CreateMul(place, m_builder.getInt32(SlotBytes)),
                                        linkConstant(LinkConstant::OffchipPatchBase));
    store(values, buffer, offset, input({ValueKind::OffchipOffset}));
  }

  Value *linkConstant(LinkConstant constant) {
    LLVMContext &context = m_function.getContext();
    std::string_view symbol = symbolOf(constant);
    Metadata *name = MDString::get(context, StringRef(symbol.data(), symbol.size()));
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_reloc_constant, ArrayRef<Type *>(),
                                     {MetadataAsValue::get(context, MDNode::get(context, name))});
  }

  // One to four dwords at base + offset.
  void store(ArrayRef<Value *> dwords, Value *buffer, Value *offset, Value *base) {
    Value *data = dwords[0];
    if (dwords.size() > 1) {
      data = PoisonValue::get(FixedVectorType::get(m_builder.getInt32Ty(), unsigned(dwords.size())));
      for (unsigned i = 0; i != dwords.size(); ++i)
        data = m_builder.CreateInsertElement(data, dwords[i], i);
    }
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_raw_buffer_store, {data->getType()},
                              {data, buffer, offset, base, m_builder.getInt32(Glc)});
  }

  Function &m_function;
  const TessControlEpilogKey &m_key;
  IRBuilder<> m_builder;
  Value *m_global = nullptr;
  Value *m_relPatchId = nullptr;
};

} // namespace

Function *emitTessControlEpilog(Module &module, const TessControlEpilogKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  unsigned sgprCount = 0;
  for (const Binding &input : key.inputs)
    sgprCount += input.reg.bank == RegisterBank::Sgpr;
  SmallVector<Type *, 16> argumentTypes(key.inputs.size(), Type::getInt32Ty(context));
  auto *type = FunctionType::get(Type::getVoidTy(context), argumentTypes, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, StringRef(name.data(), name.size()), module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  // Several waves: LLVM drops the barrier of a group that fits into one.
  function->addFnAttr("amdgpu-flat-work-group-size", "256,256");
  for (unsigned i = 0; i != sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  FactorEmitter(*function, key).emit();
  return function;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "parts/listing/listing_ir.h"
#include "parts/compile/table_ir.h"
#include "src/abi/interface/link_constant.h"
#include "src/lgc/builder/driver_tables.h"
#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail {

namespace {

using namespace llvm;
using dovetail::Value;
using IrValue = llvm::Value;

class ListingEmitter {
public:
  ListingEmitter(Function &function, const Listing &listing, VgprInput vgprInput)
      : m_function(function), m_listing(listing), m_vgprInput(vgprInput),
        m_builder(BasicBlock::Create(function.getContext(), "entry", &function)), m_values(listing.steps().size()) {}

  void emit() {
    for (size_t i = 0; i != m_values.size(); ++i)
      m_values[i] = emitStep(m_listing.steps()[i]);
    if (!m_function.getReturnType()->isVoidTy())
      return emitResult();
    if (m_end) {
      m_builder.CreateBr(m_end);
      m_builder.SetInsertPoint(m_end);
    }
    m_builder.CreateRetVoid();
  }

private:
  IrValue *valueOf(Value value) {
    IrValue *whole = m_values[value.step()];
    const Operation made = m_listing.step(value).operation;
    const bool isLoad = made == Operation::LoadTyped || made == Operation::LoadLds;
    return isLoad && whole->getType()->isVectorTy() ? m_builder.CreateExtractElement(whole, value.channel()) : whole;
  }
  IrValue *operand(const Step &step, unsigned number) { return valueOf(step.operands[number]); }
  IrValue *asInt(const Step &step, unsigned number) {
    return m_builder.CreateBitCast(operand(step, number), m_builder.getInt32Ty());
  }
  IrValue *asFloat(const Step &step, unsigned number) {
    return m_builder.CreateBitCast(operand(step, number), m_builder.getFloatTy());
  }
  Constant *asFloat(double value) { return ConstantFP::get(m_builder.getFloatTy(), value); }

  IrValue *emitStep(const Step &step) {
    Type *floatType = m_builder.getFloatTy();
    Type *intType = m_builder.getInt32Ty();
    switch (step.operation) {
    case Operation::Input:
      return step.reg.bank == RegisterBank::Vgpr ? m_vgprInput(m_builder, step.reg.index)
                                                 : m_function.getArg(step.reg.index);
    case Operation::Constant:
      return m_builder.getInt32(step.immediate);
    case Operation::LinkConstant:
      return emitLinkConstant(LinkConstant(step.immediate));
    case Operation::ToVector:
      return operand(step, 0);
    case Operation::ClampToUnit:
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_fmed3, {floatType},
                                       {asFloat(step, 0), asFloat(0.0), asFloat(1.0)});
    case Operation::MultiplyAdd:
      return m_builder.CreateFAdd(m_builder.CreateFMul(asFloat(step, 0), asFloat(step, 1)), asFloat(step, 2));
    case Operation::Max:
      return m_builder.CreateBinaryIntrinsic(Intrinsic::maxnum, asFloat(step, 0), asFloat(step, 1));
    case Operation::ToUnsigned:
      return m_builder.CreateFPToUI(asFloat(step, 0), intType);
    case Operation::FromUnsigned:
      return m_builder.CreateUIToFP(asInt(step, 0), floatType);
    case Operation::FromSigned:
      return m_builder.CreateSIToFP(asInt(step, 0), floatType);
    case Operation::ScaleByPowerOf2:
      return m_builder.CreateIntrinsic(Intrinsic::ldexp, {floatType, intType}, {asFloat(step, 0), asInt(step, 1)});
    case Operation::Add:
    case Operation::AddScalars:
      return m_builder.CreateAdd(asInt(step, 0), asInt(step, 1));
    case Operation::DivideUnsigned:
      return m_builder.CreateUDiv(asInt(step, 0), m_builder.getInt32(step.immediate));
    case Operation::And:
      return m_builder.CreateAnd(asInt(step, 0), asInt(step, 1));
    case Operation::SelectBits:
      return m_builder.CreateOr(m_builder.CreateAnd(asInt(step, 0), step.immediate),
                                m_builder.CreateAnd(asInt(step, 1), ~uint64_t(step.immediate)));
    case Operation::MultiplySmall:
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_mul_u24, {intType},
                                       {asInt(step, 0), m_builder.getInt32(step.immediate)});
    case Operation::ShiftLeft:
    case Operation::ShiftScalarLeft:
      return m_builder.CreateShl(asInt(step, 0), step.immediate);
    case Operation::ShiftLeftBy:
      return m_builder.CreateShl(asInt(step, 0), asInt(step, 1));
    case Operation::BitAt:
      return m_builder.CreateAnd(m_builder.CreateLShr(asInt(step, 0), m_builder.CreateAnd(asInt(step, 1), 31)), 1);
    case Operation::IsZero:
      return m_builder.CreateICmpEQ(asInt(step, 0), m_builder.getInt32(0));
    case Operation::IsNonzero:
      return m_builder.CreateICmpNE(asInt(step, 0), m_builder.getInt32(0));
    case Operation::IsNegative:
      return m_builder.CreateICmpSLT(asInt(step, 0), m_builder.getInt32(0));
    case Operation::Select:
      return m_builder.CreateSelect(operand(step, 0), asInt(step, 1), asInt(step, 2));
    case Operation::BitField:
      return m_builder.CreateAnd(m_builder.CreateLShr(asInt(step, 0), step.immediate), (1u << step.bitCount) - 1);
    case Operation::SignedBitField:
      return m_builder.CreateAShr(m_builder.CreateShl(asInt(step, 0), 32 - step.bitCount - step.immediate),
                                  32 - step.bitCount);
    case Operation::LowBits:
      return m_builder.CreateSub(m_builder.CreateShl(m_builder.getInt32(1), asInt(step, 0)), m_builder.getInt32(1));
    case Operation::PackHalf:
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pkrtz, {}, {asFloat(step, 0), asFloat(step, 1)});
    case Operation::PackUnorm16:
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pknorm_u16, {}, {asFloat(step, 0), asFloat(step, 1)});
    case Operation::PackSnorm16:
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pknorm_i16, {}, {asFloat(step, 0), asFloat(step, 1)});
    case Operation::PackUint16:
      return clampPacked(step,
                         m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pk_u16, {}, {asInt(step, 0), asInt(step, 1)}));
    case Operation::PackSint16:
      return clampPacked(step,
                         m_builder.CreateIntrinsic(Intrinsic::amdgcn_cvt_pk_i16, {}, {asInt(step, 0), asInt(step, 1)}));
    case Operation::LoadDescriptor:
      if (!m_tableAddress)
        m_tableAddress = emitTableAddress(m_builder, operand(step, 0));
      return emitDescriptorLoad(m_builder, m_tableAddress, step.immediate);
    case Operation::LoadTyped:
      return emitLoad(step);
    case Operation::LoadRaw:
      return m_builder.CreateIntrinsic(
          Intrinsic::amdgcn_raw_buffer_load, {intType},
          {operand(step, 0), asInt(step, 1), m_builder.getInt32(0), m_builder.getInt32(0)});
    case Operation::LoadLds:
      return emitLdsLoad(step);
    case Operation::Interpolate: {
      auto half = [&](Intrinsic::ID intrinsic, ArrayRef<IrValue *> first) {
        return m_builder.CreateIntrinsic(intrinsic, {}, attributeArguments(step, first, operand(step, 2)));
      };
      return half(Intrinsic::amdgcn_interp_p2,
                  {half(Intrinsic::amdgcn_interp_p1, {asFloat(step, 0)}), asFloat(step, 1)});
    }
    case Operation::FlatInput: {
      constexpr unsigned parameterP0 = 2;
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_mov, {},
                                       attributeArguments(step, {m_builder.getInt32(parameterP0)}, operand(step, 0)));
    }
    case Operation::StoreRaw:
      emitStore(step);
      return nullptr;
    case Operation::Barrier:
      emitBarrier();
      return nullptr;
    case Operation::KeepLanes:
      emitKeepLanes(operand(step, 0));
      return nullptr;
    case Operation::KeepPixels:
      m_builder.CreateIntrinsic(Intrinsic::amdgcn_wqm_demote, {}, {operand(step, 0)});
      return nullptr;
    case Operation::KillUnless:
      m_builder.CreateIntrinsic(Intrinsic::amdgcn_kill, {}, {emitCompare(step)});
      return nullptr;
    case Operation::Export:
      emitExport(step);
      return nullptr;
    }
    llvm_unreachable("every Operation is handled");
  }

  // The conversion has clamped to 16 bits, so both halves can be clamped further at once. Clamping before it would take
  // one more register, for the bounds.
  IrValue *clampPacked(const Step &step, IrValue *packed) {
    if (step.clamp == PackedClamp{})
      return packed;
    const PackedBounds bounds = boundsOf(step.operation, step.clamp);
    auto pair = [&](uint32_t both) {
      return ConstantVector::get({m_builder.getInt16(uint16_t(both)), m_builder.getInt16(uint16_t(both >> 16))});
    };
    if (step.operation == Operation::PackUint16)
      return m_builder.CreateBinaryIntrinsic(Intrinsic::umin, packed, pair(bounds.most));
    IrValue *clamped = m_builder.CreateBinaryIntrinsic(Intrinsic::smin, packed, pair(bounds.most));
    return m_builder.CreateBinaryIntrinsic(Intrinsic::smax, clamped, pair(bounds.least));
  }

  IrValue *emitLoad(const Step &step) {
    Type *type = m_builder.getInt32Ty();
    if (step.load.channels > 1)
      type = FixedVectorType::get(type, step.load.channels);
    const uint32_t ownOffset = offsetApart(step.load);
    const uint32_t immediateOffset = (step.load.offset - ownOffset) & MaxTypedLoadOffset;
    const uint32_t format = uint32_t(step.load.data) | uint32_t(step.load.number) << 4;
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_struct_tbuffer_load, {type},
                                     {operand(step, 0), asInt(step, 1), m_builder.getInt32(immediateOffset),
                                      m_builder.getInt32(step.load.offset - immediateOffset),
                                      m_builder.getInt32(format), m_builder.getInt32(0)});
  }

  // LLVM merges typed loads that lie side by side and have the same offset in an SGPR. There are no formats of three
  // components of 8 or 16 bits; LLVM 22 then takes formats of four, which read beyond the attribute. To prevent that,
  // every other pair of such components has a part of its offset in the SGPR. It is an inline constant there and costs
  // nothing.
  static uint32_t offsetApart(const TypedLoadFormat &load) {
    uint32_t pairBytes = 0;
    switch (load.data) {
    case BufferDataFormat::Format8:
    case BufferDataFormat::Format8_8:
      pairBytes = 2;
      break;
    case BufferDataFormat::Format16:
    case BufferDataFormat::Format16_16:
      pairBytes = 4;
      break;
    default: // not merged, or a format of three exists
      return 0;
    }
    return load.offset & pairBytes;
  }

  IrValue *emitLinkConstant(LinkConstant constant) {
    LLVMContext &context = m_function.getContext();
    Metadata *name = MDString::get(context, symbolOf(constant));
    return m_builder.CreateIntrinsic(Intrinsic::amdgcn_reloc_constant, ArrayRef<Type *>(),
                                     {MetadataAsValue::get(context, MDNode::get(context, name))});
  }

  IrValue *emitLdsLoad(const Step &step) {
    Type *type = m_builder.getInt32Ty();
    IrValue *pointer = m_builder.CreateIntToPtr(asInt(step, 0), m_builder.getPtrTy(AMDGPUAS::LOCAL_ADDRESS));
    auto loadDword = [&](unsigned number) {
      return m_builder.CreateAlignedLoad(type, m_builder.CreateConstGEP1_32(type, pointer, step.lds.dwords[number]),
                                         Align(4));
    };
    if (step.lds.count == 1)
      return loadDword(0);
    IrValue *result = PoisonValue::get(FixedVectorType::get(type, step.lds.count));
    for (unsigned i = 0; i != step.lds.count; ++i)
      result = m_builder.CreateInsertElement(result, loadDword(i), i);
    return result;
  }

  SmallVector<IrValue *, 5> attributeArguments(const Step &step, ArrayRef<IrValue *> first, IrValue *primMask) {
    SmallVector<IrValue *, 5> arguments(first);
    arguments.append({m_builder.getInt32(step.attribute.channel), m_builder.getInt32(step.attribute.number), primMask});
    return arguments;
  }

  void emitStore(const Step &step) {
    unsigned count = 0;
    while (count != 4 && step.operands[count])
      ++count;
    IrValue *data = asInt(step, 0);
    if (count > 1) {
      data = PoisonValue::get(FixedVectorType::get(m_builder.getInt32Ty(), count));
      for (unsigned i = 0; i != count; ++i)
        data = m_builder.CreateInsertElement(data, asInt(step, i), i);
    }
    IrValue *offset = m_builder.getInt32(step.immediate);
    if (step.operands[5])
      offset = m_builder.CreateAdd(asInt(step, 5), offset);
    m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_raw_buffer_store, {data->getType()},
        {data, operand(step, 4), offset, asInt(step, 6), m_builder.getInt32(lgc::GloballyCoherent)});
  }

  void emitBarrier() {
    SyncScope::ID workgroup = m_function.getContext().getOrInsertSyncScopeID("workgroup");
    m_builder.CreateFence(AtomicOrdering::Release, workgroup);
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, ArrayRef<Type *>(), ArrayRef<IrValue *>());
    m_builder.CreateFence(AtomicOrdering::Acquire, workgroup);
  }

  void emitKeepLanes(IrValue *condition) {
    LLVMContext &context = m_function.getContext();
    BasicBlock *kept = BasicBlock::Create(context, "kept", &m_function);
    if (!m_end)
      m_end = BasicBlock::Create(context, "end", &m_function);
    m_builder.CreateCondBr(condition, kept, m_end);
    m_builder.SetInsertPoint(kept);
  }

  IrValue *emitCompare(const Step &step) {
    using enum CmpInst::Predicate;
    static constexpr CmpInst::Predicate Predicates[] = {FCMP_FALSE, FCMP_OLT, FCMP_OEQ, FCMP_OLE,
                                                        FCMP_OGT,   FCMP_ONE, FCMP_OGE, FCMP_TRUE}; // by VkCompareOp
    if (step.compareOp == VK_COMPARE_OP_NEVER || step.compareOp >= VK_COMPARE_OP_ALWAYS)
      return m_builder.getInt1(step.compareOp != VK_COMPARE_OP_NEVER);
    return m_builder.CreateFCmp(Predicates[step.compareOp], asFloat(step, 0), asFloat(step, 1));
  }

  void emitExport(const Step &step) {
    const bool isPacked = step.exported.isPacked;
    Type *type =
        isPacked ? static_cast<Type *>(FixedVectorType::get(m_builder.getHalfTy(), 2)) : m_builder.getFloatTy();
    unsigned enable = 0;
    SmallVector<IrValue *, 8> arguments = {m_builder.getInt32(step.exported.target), nullptr};
    for (unsigned i = 0; i != (isPacked ? 2u : 4u); ++i) {
      const bool isThere = bool(step.operands[i]);
      arguments.push_back(isThere ? m_builder.CreateBitCast(operand(step, i), type) : PoisonValue::get(type));
      if (isThere)
        enable |= isPacked ? 3u << 2 * i : 1u << i;
    }
    arguments[1] = m_builder.getInt32(enable);
    arguments.append(2, m_builder.getInt1(step.exported.isLast));
    m_builder.CreateIntrinsic(isPacked ? Intrinsic::amdgcn_exp_compr : Intrinsic::amdgcn_exp, {type}, arguments);
  }

  void emitResult() {
    SmallVector<IrValue *, 64> results;
    for (unsigned i = 0; i != m_listing.passedSgprs(); ++i)
      results.push_back(m_function.getArg(i));
    for (unsigned i = 0; i != m_listing.passedVgprs(); ++i)
      results.push_back(m_vgprInput(m_builder, i));
    std::vector<GivenValue> given(m_listing.given().begin(), m_listing.given().end());
    std::ranges::sort(given, {}, &GivenValue::reg);
    for (const GivenValue &value : given)
      results.push_back(valueOf(value.value));
    Type *type = m_function.getReturnType();
    IrValue *result = PoisonValue::get(type);
    for (unsigned i = 0; i != results.size(); ++i)
      result =
          m_builder.CreateInsertValue(result, m_builder.CreateBitCast(results[i], type->getStructElementType(i)), i);
    m_builder.CreateRet(result);
  }

  Function &m_function;
  const Listing &m_listing;
  VgprInput m_vgprInput;
  IRBuilder<> m_builder;
  std::vector<IrValue *> m_values; // by step
  BasicBlock *m_end = nullptr;
  IrValue *m_tableAddress = nullptr; // of the listing's only table
};

} // namespace

void emitListing(Function &function, const Listing &listing) {
  const auto sgprs =
      unsigned(llvm::count_if(function.args(), [](const Argument &argument) { return argument.hasInRegAttr(); }));
  emitListing(function, listing, [&](IRBuilderBase &, unsigned vgpr) { return function.getArg(sgprs + vgpr); });
}

void emitListing(Function &function, const Listing &listing, VgprInput input) {
  ListingEmitter(function, listing, input).emit();
}

Function *createFunction(Module &module, FunctionType *type, unsigned sgprCount, unsigned convention,
                         std::string_view name) {
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(convention);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  for (unsigned i = 0; i != sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  return function;
}

Function *emitProlog(Module &module, unsigned sgprCount, unsigned vgprCount, const Listing &listing,
                     std::string_view name) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 32> types(sgprCount, Type::getInt32Ty(context));
  types.append(vgprCount, Type::getFloatTy(context));
  auto *type = FunctionType::get(StructType::get(context, types), types, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  for (unsigned i = 0; i != sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  emitListing(*function, listing);
  return function;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// A vertex prolog as LLVM IR, for the amdgpu_vs calling convention: arguments and results are numbered from s0 and v0
// on, so an argument that is returned at its own place costs nothing.
#include "parts/compile/table_ir.h"
#include "parts/kinds/vertex_prolog.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <map>

namespace dovetail {

namespace {

using namespace llvm;

// Vertex shader registers that every main part has at the same place.
enum PrologArgument : unsigned { VertexBufferTableSgpr = 1, BaseVertexSgpr = 2, BaseInstanceSgpr = 3 };
constexpr unsigned VertexIdVgpr = 0;

// MTBUF has 12 bits of offset; what does not fit is added through an SGPR, in steps that neighbouring attributes can
// share.
constexpr uint32_t MaxImmediateOffset = 4095;

class FetchEmitter {
public:
  FetchEmitter(Function &function, const VertexPrologKey &key)
      : m_function(function), m_key(key), m_builder(BasicBlock::Create(function.getContext(), "entry", &function)) {}

  void emit() {
    SmallVector<Value *, 64> results;
    for (unsigned i = 0; i != m_key.sgprCount + VertexVgprCount; ++i)
      results.push_back(m_function.getArg(i));
    for (const FetchedAttribute &attribute : m_key.attributes)
      emitAttribute(attribute, results);

    Type *resultType = m_function.getReturnType();
    Value *result = PoisonValue::get(resultType);
    for (unsigned i = 0; i != results.size(); ++i)
      result = m_builder.CreateInsertValue(result,
                                           m_builder.CreateBitCast(results[i], resultType->getStructElementType(i)), i);
    m_builder.CreateRet(result);
  }

private:
  void emitAttribute(const FetchedAttribute &attribute, SmallVectorImpl<Value *> &results) {
    SmallVector<Value *, 4> loads;
    for (const VertexLoad &load : attribute.loads)
      loads.push_back(emitLoad(attribute, load));
    for (const AttributeDword &dword : attribute.dwords) {
      switch (dword.source) {
      case DwordSource::Unread:
        break;
      case DwordSource::Load:
        results.push_back(channelOf(loads[dword.load], dword.channel));
        break;
      case DwordSource::SignedTwoBits:
        results.push_back(
            restoreSign(channelOf(loads[dword.load], dword.channel), attribute.loads[dword.load].numFormat));
        break;
      case DwordSource::Constant:
        results.push_back(m_builder.getInt32(dword.constant));
        break;
      case DwordSource::SharedExponent:
        results.push_back(decodeSharedExponent(loads[dword.load], dword.channel));
        break;
      }
    }
  }

  Value *channelOf(Value *load, unsigned channel) {
    return load->getType()->isVectorTy() ? m_builder.CreateExtractElement(load, channel) : load;
  }

  Value *emitLoad(const FetchedAttribute &attribute, const VertexLoad &load) {
    Type *type = m_builder.getInt32Ty();
    if (load.channels > 1)
      type = FixedVectorType::get(type, load.channels);
    uint32_t immediateOffset = load.offset & MaxImmediateOffset;
    uint32_t format = uint32_t(load.dataFormat) | uint32_t(load.numFormat) << 4;
    return m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_struct_tbuffer_load, {type},
        {descriptor(attribute.binding), elementIndex(attribute), m_builder.getInt32(immediateOffset),
         m_builder.getInt32(load.offset - immediateOffset), m_builder.getInt32(format), m_builder.getInt32(0)});
  }

  Value *descriptor(uint32_t binding) {
    if (!m_tableAddress)
      m_tableAddress = emitTableAddress(m_builder, m_function.getArg(VertexBufferTableSgpr));
    Value *&descriptor = m_descriptors[binding];
    if (!descriptor)
      descriptor = emitDescriptorLoad(m_builder, m_tableAddress, binding);
    return descriptor;
  }

  Value *elementIndex(const FetchedAttribute &attribute) {
    Value *&index = m_indices[{attribute.index, attribute.divisor}];
    if (index)
      return index;
    Value *baseInstance = m_function.getArg(BaseInstanceSgpr);
    Value *instance = m_function.getArg(m_key.sgprCount + InstanceIdVgpr);
    switch (attribute.index) {
    case FetchIndex::Vertex:
      return index = m_builder.CreateAdd(m_function.getArg(m_key.sgprCount + VertexIdVgpr),
                                         m_function.getArg(BaseVertexSgpr));
    case FetchIndex::Instance:
      return index = m_builder.CreateAdd(instance, baseInstance);
    case FetchIndex::DividedInstance:
      return index = m_builder.CreateAdd(m_builder.CreateUDiv(instance, m_builder.getInt32(attribute.divisor)),
                                         baseInstance);
    case FetchIndex::StartInstance:
      return index = baseInstance;
    }
    llvm_unreachable("every FetchIndex is handled");
  }

  // The two bits are at the bottom of an integer. 0, 1/3, 2/3 and 1 have them at the bottom of their exponent, bits 23
  // and 24: 0x00000000, 0x3eaaaaab, 0x3f2aaaab, 0x3f800000.
  Value *restoreSign(Value *value, BufferNumFormat numFormat) {
    Type *floatType = m_builder.getFloatTy();
    unsigned lowest = 0;
    if (numFormat == BufferNumFormat::Snorm)
      lowest = 23;
    if (numFormat == BufferNumFormat::Sscaled)
      value = m_builder.CreateFPToUI(m_builder.CreateBitCast(value, floatType), m_builder.getInt32Ty());
    value = m_builder.CreateAShr(m_builder.CreateShl(value, 30 - lowest), 30);
    if (numFormat == BufferNumFormat::Sint)
      return value;
    Value *number = m_builder.CreateSIToFP(value, floatType);
    if (numFormat == BufferNumFormat::Snorm) // both -2 and -1 mean -1
      number = m_builder.CreateBinaryIntrinsic(Intrinsic::maxnum, number, ConstantFP::get(floatType, -1.0));
    return m_builder.CreateBitCast(number, m_builder.getInt32Ty());
  }

  // E5B9G9R9: mantissa * 2^(exponent - 15 - 9).
  Value *decodeSharedExponent(Value *packed, unsigned component) {
    Value *mantissa = m_builder.CreateAnd(m_builder.CreateLShr(packed, component * 9), 0x1ff);
    Value *exponent = m_builder.CreateSub(m_builder.CreateLShr(packed, 27), m_builder.getInt32(15 + 9));
    Value *value = m_builder.CreateUIToFP(mantissa, m_builder.getFloatTy());
    value = m_builder.CreateIntrinsic(Intrinsic::ldexp, {value->getType(), exponent->getType()}, {value, exponent});
    return m_builder.CreateBitCast(value, m_builder.getInt32Ty());
  }

  Function &m_function;
  const VertexPrologKey &m_key;
  IRBuilder<> m_builder;
  Value *m_tableAddress = nullptr;
  std::map<uint32_t, Value *> m_descriptors; // by binding
  std::map<std::pair<FetchIndex, uint32_t>, Value *> m_indices;
};

} // namespace

Function *emitVertexProlog(Module &module, const VertexPrologKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  size_t attributeDwords = key.contract().outputs.size();

  SmallVector<Type *, 64> resultTypes(key.sgprCount, i32);
  resultTypes.append(VertexVgprCount + attributeDwords, Type::getFloatTy(context));
  SmallVector<Type *, 64> argumentTypes(key.sgprCount + VertexVgprCount, i32);
  auto *type = FunctionType::get(StructType::get(context, resultTypes), argumentTypes, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_VS);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr("denormal-fp-math-f32", "preserve-sign");
  for (unsigned i = 0; i != key.sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  FetchEmitter(*function, key).emit();
  return function;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// A fragment prolog as LLVM IR. What it hands on is computed for helper lanes too (amdgpu-ps-wqm-outputs), because the
// main part may take derivatives of it; LLVM puts EXEC back at the end. Stippled-away pixels are demoted to helpers,
// not killed, for the same reason.
#include "parts/compile/table_ir.h"
#include "parts/kinds/fragment_prolog.h"
#include "src/abi/entry_registers.h"
#include "src/lgc/target/driver_tables.h"
#include <bit>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

using namespace llvm;

class PrologEmitter {
public:
  PrologEmitter(Function &function, const FragmentPrologKey &key)
      : m_function(function), m_key(key), m_builder(BasicBlock::Create(function.getContext(), "entry", &function)) {}

  void emit() {
    if (m_key.polygonStipple)
      emitStipple();
    SmallVector<Value *, 32> values;
    for (unsigned i = 0; i < m_key.sgprCount; ++i)
      values.push_back(m_function.getArg(i));
    for (unsigned bit = 0; bit < PsInputCount; ++bit)
      if (m_key.mainInputs >> bit & 1)
        addRegisters(mainInput(bit), values);
    for (const PrologColor &color : m_key.colors)
      for (unsigned component = 0; component < 4; ++component)
        if (color.componentMask >> component & 1)
          values.push_back(colorComponent(color, component));

    Value *result = PoisonValue::get(m_function.getReturnType());
    for (unsigned i = 0; i < values.size(); ++i)
      result = m_builder.CreateInsertValue(result, values[i], i);
    m_builder.CreateRet(result);
  }

private:
  static unsigned bitOf(PsInputBit input) { return unsigned(std::countr_zero(uint32_t(input))); }
  Value *launchInput(unsigned bit) { return m_function.getArg(m_key.sgprCount + bit); }
  Value *launchInput(PsInputBit input) { return launchInput(bitOf(input)); }
  bool isLoaded(PsInputBit input) const { return m_key.launchInputs & input; }
  Value *primMask() { return m_function.getArg(m_key.sgprCount - 2u); }

  // One float for each register of an input.
  void addRegisters(Value *value, SmallVectorImpl<Value *> &values) {
    if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        values.push_back(m_builder.CreateExtractElement(value, i));
    else
      values.push_back(m_builder.CreateBitCast(value, m_builder.getFloatTy()));
  }

  // The weights that the main part finds in the place of an input.
  Value *mainInput(unsigned bit) {
    const uint32_t input = 1u << bit;
    const bool isPerspective = input & (PerspSampleEna | PerspCenterEna | PerspCentroidEna);
    const bool isLinear = input & (LinearSampleEna | LinearCenterEna | LinearCentroidEna);
    if ((isPerspective || isLinear) && m_key.weights != WeightSource::AsDeclared) {
      const bool atSample = m_key.weights == WeightSource::Sample;
      return isPerspective ? launchInput(atSample ? PerspSampleEna : PerspCenterEna)
                           : launchInput(atSample ? LinearSampleEna : LinearCenterEna);
    }
    if (m_key.optimizeCentroid && input == PerspCentroidEna && isLoaded(PerspCenterEna))
      return optimizedCentroid(launchInput(PerspCenterEna), launchInput(PerspCentroidEna));
    if (m_key.optimizeCentroid && input == LinearCentroidEna && isLoaded(LinearCenterEna))
      return optimizedCentroid(launchInput(LinearCenterEna), launchInput(LinearCentroidEna));
    if (m_key.sampleMaskShift != 0 && input == SampleCoverageEna)
      return narrowSampleMask(launchInput(bit));
    return launchInput(bit);
  }

  // PrimMask[31]: every quad of the wave is covered as a whole, and no centroids were loaded.
  Value *optimizedCentroid(Value *center, Value *centroid) {
    Value *isCovered = m_builder.CreateICmpSLT(primMask(), m_builder.getInt32(0));
    return m_builder.CreateSelect(isCovered, center, centroid);
  }

  // Of each 2^shift samples the one with this invocation's number (Ancillary[11:8]).
  Value *narrowSampleMask(Value *mask) {
    constexpr uint32_t EveryNth[] = {0xffff, 0x5555, 0x1111, 0x0101, 0x0001};
    Value *sample = m_builder.CreateAnd(m_builder.CreateLShr(launchInput(AncillaryEna), 8), 0xf);
    Value *own = m_builder.CreateShl(m_builder.getInt32(EveryNth[m_key.sampleMaskShift]), sample);
    return m_builder.CreateAnd(mask, own);
  }

  // A bit of the row y & 31 for the column x & 31; PosFixedPt has x in its low half and y in its high half.
  void emitStipple() {
    Type *i32 = m_builder.getInt32Ty();
    Value *table = emitTableAddress(m_builder, m_function.getArg(0));
    Value *descriptor = emitDescriptorLoad(m_builder, table, unsigned(GlobalTableEntry::PolygonStipple));
    Value *position = launchInput(PosFixedPtEna);
    Value *row = m_builder.CreateAnd(m_builder.CreateLShr(position, 16), 31);
    Value *bits = m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_raw_buffer_load, {i32},
        {descriptor, m_builder.CreateShl(row, 2), m_builder.getInt32(0), m_builder.getInt32(0)});
    Value *bit = m_builder.CreateAnd(m_builder.CreateLShr(bits, m_builder.CreateAnd(position, 31)), 1);
    m_builder.CreateIntrinsic(Intrinsic::amdgcn_wqm_demote, {}, {m_builder.CreateICmpNE(bit, m_builder.getInt32(0))});
  }

  Value *colorComponent(const PrologColor &color, unsigned component) {
    Value *front = attribute(color.attribute, component, color.flat);
    if (!color.twoSide)
      return front;
    Value *back = attribute(color.backAttribute, component, color.flat);
    Value *isFront = m_builder.CreateICmpNE(launchInput(FrontFaceEna), m_builder.getInt32(0));
    return m_builder.CreateSelect(isFront, front, back);
  }

  Value *attribute(unsigned number, unsigned component, bool isFlat) {
    Value *channel = m_builder.getInt32(component);
    Value *attributeNumber = m_builder.getInt32(number);
    constexpr unsigned parameterP0 = 2;
    if (isFlat)
      return m_builder.CreateIntrinsic(Intrinsic::amdgcn_interp_mov, {},
                                       {m_builder.getInt32(parameterP0), channel, attributeNumber, primMask()});
    // Colours have no qualifier of their own: the centre, unless state says otherwise for all.
    Value *weights = launchInput(m_key.weights == WeightSource::Sample ? PerspSampleEna : PerspCenterEna);
    Value *partial = m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_interp_p1, {},
        {m_builder.CreateExtractElement(weights, uint64_t(0)), channel, attributeNumber, primMask()});
    return m_builder.CreateIntrinsic(
        Intrinsic::amdgcn_interp_p2, {},
        {partial, m_builder.CreateExtractElement(weights, 1), channel, attributeNumber, primMask()});
  }

  Function &m_function;
  const FragmentPrologKey &m_key;
  IRBuilder<> m_builder;
};

} // namespace

Function *emitFragmentProlog(Module &module, const FragmentPrologKey &key, std::string_view name) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  Type *f32 = Type::getFloatTy(context);
  SmallVector<Type *, 40> parameters(key.sgprCount, i32);
  SmallVector<Type *, 40> results(key.sgprCount, i32);
  unsigned vgprs = psInputVgprs(key.mainInputs);
  for (unsigned bit = 0; bit < PsInputCount; ++bit) {
    const PsInput &input = psInputs()[bit];
    bool isInteger = input.kind >= ValueKind::FrontFace;
    Type *type = isInteger ? i32 : f32;
    parameters.push_back(input.count > 1 ? FixedVectorType::get(type, input.count) : type);
  }
  for (const PrologColor &color : key.colors)
    vgprs += unsigned(std::popcount(color.componentMask));
  results.append(vgprs, f32);

  auto *type = FunctionType::get(StructType::get(context, results), parameters, false);
  auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(CallingConv::AMDGPU_PS);
  function->setDLLStorageClass(GlobalValue::DLLExportStorageClass);
  for (unsigned i = 0; i < key.sgprCount; ++i)
    function->addParamAttr(i, Attribute::InReg);
  function->addFnAttr("InitialPSInputAddr", std::to_string(key.launchInputs));
  function->addFnAttr("amdgpu-ps-wqm-outputs");
  PrologEmitter(*function, key).emit();
  return function;
}

} // namespace dovetail

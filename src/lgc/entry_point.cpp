// SPDX-License-Identifier: MIT
//
// The entry point: the shader as one function with the hardware's calling convention. Arguments in SGPRs are `i32
// inreg` and come first; then those in VGPRs.
//
//   amdgpu_vs  user SGPRs; v0..v3 (i32), then one float for each word of the attributes. Returns nothing.
//   amdgpu_ps  user SGPRs, PrimMask; LLVM's 16 fragment inputs, all of them: LLVM gives no register to those that are
//   not used and
//              not in the attribute InitialPSInputAddr. Returns s0, s1 (i32) as it got them, then one float for each
//              output.
//   amdgpu_cs  user SGPRs, the WorkgroupIds that are used; v0..v2 (i32) up to the last that is used. Returns nothing.
//
// ScratchOffset is never an argument: LLVM takes the first free SGPR for it, which is why it is always the next one in
// the interface.
#include "src/lgc/middle_end.h"
#include "src/lgc/op.h"
#include "src/lgc/pipeline_state.h"
#include <algorithm>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;
using dovetail::Binding;
using dovetail::HardwareStage;
using dovetail::Register;
using dovetail::RegisterBank;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace lgc {

namespace {

// The fragment inputs, in LLVM's order, which is that of the bits of SPI_PS_INPUT_ADDR.
struct FragmentHardwareInput {
  ValueKind kind;
  unsigned registers;
  bool isFloat;
};

constexpr FragmentHardwareInput FragmentHardwareInputs[] = {
    {ValueKind::PerspSample, 2, true},    {ValueKind::PerspCenter, 2, true},  {ValueKind::PerspCentroid, 2, true},
    {ValueKind::PerspPullModel, 3, true}, {ValueKind::LinearSample, 2, true}, {ValueKind::LinearCenter, 2, true},
    {ValueKind::LinearCentroid, 2, true}, {ValueKind::LineStipple, 1, true},  {ValueKind::PosX, 1, true},
    {ValueKind::PosY, 1, true},           {ValueKind::PosZ, 1, true},         {ValueKind::PosW, 1, true},
    {ValueKind::FrontFace, 1, false},     {ValueKind::Ancillary, 1, false},   {ValueKind::SampleCoverage, 1, false},
    {ValueKind::PosFixedPt, 1, false},
};
constexpr unsigned PerspCenterBit = 1u << 1;
constexpr unsigned PerspBits = 0xf;
constexpr unsigned BarycentricBits = 0x7f;
constexpr unsigned PosWBit = 1u << 11;

struct HardwareForm {
  CallingConv::ID callingConvention;
  HardwareStage stage;
  StringRef name;
};

HardwareForm hardwareFormOf(ShaderStage stage) {
  switch (stage) {
  case ShaderStage::Vertex:
    return {CallingConv::AMDGPU_VS, HardwareStage::Vs, "_amdgpu_vs_main"};
  case ShaderStage::Fragment:
    return {CallingConv::AMDGPU_PS, HardwareStage::Ps, "_amdgpu_ps_main"};
  default:
    return {CallingConv::AMDGPU_CS, HardwareStage::Cs, "_amdgpu_cs_main"};
  }
}

class EntryPoint {
public:
  EntryPoint(Function &function, PipelineState &state, ShaderInterface &interface)
      : m_function(function), m_state(state), m_usage(state.usage()), m_interface(interface),
        m_context(function.getContext()), m_i32(Type::getInt32Ty(m_context)), m_float(Type::getFloatTy(m_context)) {}

  // Lists the arguments; the user SGPRs are in the interface already.
  void layOut() {
    for (const Binding &input : m_interface.inputs)
      m_arguments.push_back({input.value, m_i32});
    switch (m_state.shaderModes().stage) {
    case ShaderStage::Vertex:
      closeSgprs();
      layOutVertex();
      break;
    case ShaderStage::Fragment:
      addSgpr({ValueKind::PrimMask});
      closeSgprs();
      layOutFragment();
      break;
    default:
      for (uint8_t dimension = 0; dimension < 3; ++dimension)
        if (m_usage.uses(ValueKind::WorkgroupId, dimension))
          addSgpr({ValueKind::WorkgroupId, dimension});
      closeSgprs();
      layOutCompute();
      break;
    }
  }

  Function *make(ArrayRef<Value *> returnValues) {
    bool isFragment = m_state.shaderModes().stage == ShaderStage::Fragment;
    Type *returnType = Type::getVoidTy(m_context);
    if (isFragment) {
      SmallVector<Type *, 16> types = {m_i32, m_i32};
      types.append(returnValues.size(), m_float);
      returnType = StructType::get(m_context, types);
      m_interface.outputs.insert(m_interface.outputs.begin(), {{{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}},
                                                               {{ValueKind::AlphaReference}, {RegisterBank::Sgpr, 1}}});
    }
    SmallVector<Type *, 32> types;
    for (const Argument &argument : m_arguments)
      types.push_back(argument.type);

    HardwareForm form = hardwareFormOf(m_state.shaderModes().stage);
    m_interface.hardwareStage = form.stage;
    Function *entry = Function::Create(FunctionType::get(returnType, types, false), GlobalValue::ExternalLinkage,
                                       form.name, m_function.getParent());
    entry->setCallingConv(form.callingConvention);
    entry->setAttributes(AttributeList::get(m_context, m_function.getAttributes().getFnAttrs(), {}, {}));
    for (unsigned i = 0; i < m_sgprArguments; ++i)
      entry->addParamAttr(i, Attribute::InReg);
    entry->setSubprogram(m_function.getSubprogram());
    m_function.setSubprogram(nullptr);
    entry->splice(entry->begin(), &m_function);

    replaceOps(*entry);
    if (isFragment)
      returnStruct(*entry, returnValues);
    m_function.eraseFromParent();
    return entry;
  }

private:
  struct Argument {
    ValueName value;
    Type *type;
  };

  void addSgpr(ValueName value) {
    m_arguments.push_back({value, m_i32});
    m_interface.inputs.push_back({value, sgpr(m_interface.inputs.size())});
  }

  static Register sgpr(size_t index) { return {RegisterBank::Sgpr, static_cast<uint16_t>(index)}; }

  // Every SGPR argument is listed; what follows is in VGPRs.
  void closeSgprs() {
    m_sgprArguments = m_arguments.size();
    m_interface.inputs.push_back({{ValueKind::ScratchOffset}, sgpr(m_sgprArguments)});
  }

  void addVgpr(ValueName value, Type *type, bool isNamed = true) {
    m_arguments.push_back({value, type});
    if (isNamed)
      m_interface.inputs.push_back({value, {RegisterBank::Vgpr, m_nextVgpr}});
    ++m_nextVgpr;
  }

  void layOutVertex() {
    addVgpr({ValueKind::VertexId}, m_i32);
    addVgpr({ValueKind::InstanceId}, m_i32);
    addVgpr({ValueKind::VertexPrimitiveId}, m_i32);
    addVgpr({ValueKind::RelPatchId}, m_i32, /*isNamed=*/false); // v3: nothing here reads it
    for (auto &[location, input] : m_usage.vertexInputs)
      for (uint8_t dword = 0; dword < 8; ++dword)
        if (input.dwordMask >> dword & 1)
          addVgpr({ValueKind::Attribute, input.location, dword}, m_float);
  }

  // The registers are known only after the last optimisation: finishEntryPoint.
  void layOutFragment() {
    for (const FragmentHardwareInput &input : FragmentHardwareInputs) {
      Type *type = input.isFloat ? m_float : m_i32;
      m_arguments.push_back({{input.kind}, input.registers > 1 ? FixedVectorType::get(type, input.registers) : type});
    }
  }

  void layOutCompute() {
    uint8_t count = 0;
    for (uint8_t dimension = 0; dimension < 3; ++dimension)
      if (m_usage.uses(ValueKind::LocalInvocationId, dimension))
        count = dimension + 1;
    for (uint8_t dimension = 0; dimension < count; ++dimension) {
      m_arguments.push_back({{ValueKind::LocalInvocationId, dimension}, m_i32});
      m_interface.inputs.push_back({{ValueKind::LocalInvocationId, 0, dimension}, {RegisterBank::Vgpr, m_nextVgpr++}});
    }
    const ComputeShaderMode &mode = m_state.shaderModes().compute;
    m_interface.workgroupSize = {mode.workgroupSizeX, mode.workgroupSizeY, mode.workgroupSizeZ};
  }

  llvm::Argument *argumentOf(Function &entry, ValueName value) {
    auto found = std::ranges::find(m_arguments, value, &Argument::value);
    assert(found != m_arguments.end() && "resource collection has seen every hardware value");
    return entry.getArg(found - m_arguments.begin());
  }

  void replaceOps(Function &entry) {
    for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
      Value *value = nullptr;
      if (auto *hardware = dyn_cast<HardwareValueOp>(&instruction)) {
        value = argumentOf(entry, {hardware->kind(), static_cast<uint8_t>(hardware->index())});
      } else if (auto *attribute = dyn_cast<VertexAttributeOp>(&instruction)) {
        auto location = static_cast<uint8_t>(attribute->location());
        value = argumentOf(entry, {ValueKind::Attribute, location, static_cast<uint8_t>(attribute->dword())});
      } else {
        continue;
      }
      IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(builder.CreateBitCast(value, instruction.getType()));
      instruction.eraseFromParent();
    }
  }

  void returnStruct(Function &entry, ArrayRef<Value *> returnValues) {
    for (BasicBlock &block : entry) {
      auto *end = dyn_cast<ReturnInst>(block.getTerminator());
      if (!end)
        continue;
      IRBuilder<> builder(end);
      Value *result = PoisonValue::get(entry.getReturnType());
      result = builder.CreateInsertValue(result, argumentOf(entry, {ValueKind::GlobalTable}), 0);
      result = builder.CreateInsertValue(result, argumentOf(entry, {ValueKind::AlphaReference}), 1);
      for (auto [index, value] : enumerate(returnValues))
        result = builder.CreateInsertValue(result, value, static_cast<unsigned>(index) + 2);
      builder.CreateRet(result);
      end->eraseFromParent();
    }
  }

  Function &m_function;
  PipelineState &m_state;
  const ResourceUsage &m_usage;
  ShaderInterface &m_interface;
  LLVMContext &m_context;
  Type *m_i32;
  Type *m_float;
  SmallVector<Argument, 32> m_arguments;
  unsigned m_sgprArguments = 0;
  uint16_t m_nextVgpr = 0;
};

} // namespace

Function *makeEntryPoint(Function &function, ArrayRef<Value *> returnValues, PipelineState &state,
                         ShaderInterface &interface) {
  EntryPoint entryPoint(function, state, interface);
  entryPoint.layOut();
  return entryPoint.make(returnValues);
}

void finishEntryPoint(Function &entry, const PipelineState &state, ShaderInterface &interface) {
  if (state.shaderModes().stage != ShaderStage::Fragment)
    return;
  auto isVgpr = [](const llvm::Argument &argument) { return !argument.hasInRegAttr(); };
  auto *first = std::find_if(entry.arg_begin(), entry.arg_end(), isVgpr);
  unsigned mask = 0;
  for (unsigned bit = 0; bit < std::size(FragmentHardwareInputs) && first + bit != entry.arg_end(); ++bit)
    if (!(first + bit)->use_empty())
      mask |= 1u << bit;
  // At least one pair of weights must be enabled, or the GPU hangs; POS_W needs one with perspective.
  if (!(mask & BarycentricBits) || ((mask & PosWBit) && !(mask & PerspBits)))
    mask |= PerspCenterBit;
  // LLVM gives registers to exactly these, whatever its own passes still find out about uses.
  entry.addFnAttr("InitialPSInputAddr", std::to_string(mask));

  erase_if(interface.inputs, [](const Binding &input) { return input.reg.bank == RegisterBank::Vgpr; });
  uint16_t vgpr = 0;
  for (unsigned bit = 0; bit < std::size(FragmentHardwareInputs); ++bit) {
    if (!(mask >> bit & 1))
      continue;
    const FragmentHardwareInput &input = FragmentHardwareInputs[bit];
    for (uint8_t component = 0; component < input.registers; ++component)
      interface.inputs.push_back({{input.kind, 0, component}, {RegisterBank::Vgpr, vgpr++}});
  }
}

} // namespace lgc

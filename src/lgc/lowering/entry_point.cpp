// SPDX-License-Identifier: MIT
//
// Makes the entry point: the shader as one function with the hardware's calling convention. Arguments in SGPRs are `i32
// inreg` and come first; those in VGPRs follow. Each stage has the launch state of a hardware stage of its own
// (src/abi/entry_registers.h), on GPUs with merged stages, too.
//
//   amdgpu_vs  Ls, Hs, Es, Gs, Vs: user SGPRs, system SGPRs; the hardware's VGPRs at fixed places, read or not (i32).
//              Vertex shaders: v0..v3, then one float for each word of the attributes.
//   amdgpu_ps  user SGPRs, PrimMask, CollisionWaveId if it is used; LLVM's 16 fragment inputs, all of them: LLVM gives
//              no register to those that are not used and not in the attribute InitialPSInputAddr.
//   amdgpu_cs  user SGPRs, the WorkgroupIds that are used; v0..v2 (i32) up to the last that is used.
//
// A function that another part follows returns a struct: SGPRs as it got them, from s0 (i32), then one float for each
// VGPR (passedOnSgprs). Other functions return nothing and end the program.
//
// The interface lists all SGPRs, but only the VGPRs that are read: the launch loads no more VGPRs, and the glue between
// merged stages keeps no others. ScratchOffset is never an argument: LLVM takes the first free SGPR for it, so it is
// always the next one in the interface.
#include "src/abi/interface/pixel_inputs.h"
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <set>

using namespace llvm;

namespace lgc {

using dovetail::Binding;
using dovetail::HardwareStage;
using dovetail::Register;
using dovetail::RegisterBank;
using dovetail::ShaderInterface;
using dovetail::ValueKind;

namespace {

// The first VGPR of the words of vertex attributes, in any hardware stage.
constexpr unsigned FirstAttributeVgpr = 4;

struct HardwareForm {
  CallingConv::ID callingConvention;
  StringRef name;
};

HardwareForm hardwareFormOf(HardwareStage stage) {
  switch (stage) {
  case HardwareStage::Ps:
    return {CallingConv::AMDGPU_PS, "_amdgpu_ps_main"};
  case HardwareStage::Cs:
    return {CallingConv::AMDGPU_CS, "_amdgpu_cs_main"};
  default:
    return {CallingConv::AMDGPU_VS, "_amdgpu_vs_main"};
  }
}

// The SGPRs that a function hands on to the next part, from s0; none if it ends the program.
SmallVector<ValueName, 4> passedOnSgprs(HardwareStage stage, const dovetail::TargetInfo &target) {
  switch (stage) {
  case HardwareStage::Ps: // to the epilog
    return {{ValueKind::GlobalTable}, {ValueKind::AlphaReference}};
  case HardwareStage::Hs: // to the epilog
    return {{ValueKind::GlobalTable}, {ValueKind::OffchipOffset}, {ValueKind::TessFactorOffset}};
  case HardwareStage::Ls:
  case HardwareStage::Es: // the second half follows
    if (target.hasMergedStages)
      return {{ValueKind::GlobalTable}};
    return {};
  default:
    return {};
  }
}

bool isRegister(const Binding &input, RegisterBank bank) {
  return input.reg.bank == bank;
}

class EntryPoint {
public:
  EntryPoint(Function &function, const PipelineState &state, ShaderInterface &interface)
      : m_function(function), m_state(state), m_stage(state.hardwareStage()), m_usage(state.usage()),
        m_interface(interface), m_context(function.getContext()), m_i32(Type::getInt32Ty(m_context)),
        m_float(Type::getFloatTy(m_context)) {}

  // Lists the arguments; the user SGPRs are in the interface already.
  void layOut() {
    for (Instruction &instruction : instructions(m_function))
      if (auto *hardware = dyn_cast<HardwareValueOp>(&instruction))
        m_reads.insert({hardware->kind(), static_cast<uint8_t>(hardware->index()), 0});
      else if (auto *value = dyn_cast<ReturnValueOp>(&instruction))
        m_returnValues.push_back(value);
    llvm::sort(m_returnValues,
               [](ReturnValueOp *left, ReturnValueOp *right) { return left->index() < right->index(); });
    for (const Binding &input : m_interface.inputs)
      m_arguments.push_back({input.value, m_i32});
    for (ValueName value : systemSgprs(m_stage, m_state.vertexSource()))
      if (value.kind == ValueKind::ScratchOffset)
        m_interface.inputs.push_back({value, sgpr(m_arguments.size())});
      else if (isEnabled(value))
        addSgpr(value);
    m_sgprArguments = m_arguments.size();

    if (m_stage == HardwareStage::Ps)
      layOutFragment();
    else if (m_stage == HardwareStage::Cs)
      layOutCompute();
    else
      layOutVertexProcessing();
  }

  // Resource collection has seen every value that the code reads, so each has an argument. It has none if a later op
  // reads another value, or one that the stage does not have.
  dovetail::Result<void> check() const {
    const DataLayout &layout = m_function.getParent()->getDataLayout();
    if (!m_function.arg_empty() || !m_function.getReturnType()->isVoidTy() || !m_function.use_empty())
      return refuse("it takes or returns values, or is called");
    for (const Instruction &instruction : instructions(m_function)) {
      std::optional<ValueName> value = valueOf(instruction);
      if (!value)
        continue;
      auto found = std::ranges::find(m_arguments, *value, &Argument::value);
      if (found == m_arguments.end() ||
          layout.getTypeSizeInBits(found->type) != layout.getTypeSizeInBits(instruction.getType()))
        return refuse(fmt::format("it reads {}, which is in no register of that type", dovetail::toString(*value)));
    }
    for (ValueName value : passedOnSgprs(m_stage, m_state.targetInfo()))
      if (std::ranges::find(m_arguments, value, &Argument::value) == m_arguments.end())
        return refuse(fmt::format("{} is in no register", dovetail::toString(value)));
    const auto returns = [](const BasicBlock &block) { return isa<ReturnInst>(block.getTerminator()); };
    for (unsigned i = 0; i < m_returnValues.size(); ++i)
      if (m_returnValues[i]->index() != i || !returns(*m_returnValues[i]->getParent()) ||
          count_if(m_function, returns) != 1)
        return refuse("what it returns is not numbered from 0, or not at its end");
    return {};
  }

  Function *make() {
    m_passedOn = passedOnSgprs(m_stage, m_state.targetInfo());
    Type *returnType = Type::getVoidTy(m_context);
    if (!m_passedOn.empty()) {
      SmallVector<Type *, 16> types(m_passedOn.size(), m_i32);
      types.append(m_returnValues.size(), m_float);
      returnType = StructType::get(m_context, types);
      std::vector<Binding> outputs;
      for (ValueName value : m_passedOn)
        outputs.push_back({value, sgpr(outputs.size())});
      m_interface.outputs.insert(m_interface.outputs.begin(), outputs.begin(), outputs.end());
    }
    SmallVector<Type *, 32> types;
    for (const Argument &argument : m_arguments)
      types.push_back(argument.type);

    HardwareForm form = hardwareFormOf(m_stage);
    m_interface.hardwareStage = m_stage;
    m_interface.source = m_state.vertexSource();
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
    if (!m_passedOn.empty())
      returnStruct(*entry);
    for (ReturnValueOp *op : m_returnValues)
      op->eraseFromParent();
    m_function.eraseFromParent();
    return entry;
  }

private:
  struct Argument {
    ValueName value;
    Type *type;
  };

  static Register sgpr(size_t index) { return {RegisterBank::Sgpr, static_cast<uint16_t>(index)}; }

  // Whether the hardware provides a system value: the rows of systemSgprs() say when.
  bool isEnabled(ValueName value) const {
    switch (m_stage) {
    case HardwareStage::Vs: {
      bool isTessEval = m_state.vertexSource() == dovetail::VertexSource::TessEval;
      switch (value.kind) {
      case ValueKind::StreamoutConfig:
        return isTessEval || m_interface.preRaster.xfb.isUsed();
      case ValueKind::StreamoutWriteIndex:
        return m_interface.preRaster.xfb.isUsed();
      case ValueKind::StreamoutOffset:
        return m_interface.preRaster.xfb.isUsed() && m_interface.preRaster.xfb.strides[value.index] != 0;
      default: // OffchipOffset
        return isTessEval;
      }
    }
    case HardwareStage::Ps:
      return value.kind != ValueKind::CollisionWaveId || m_usage.uses(value.kind);
    case HardwareStage::Cs:
      return m_usage.uses(value.kind, value.index);
    default:
      return true;
    }
  }

  // Adds an argument for the SGPR; the interface does not list it if it holds nothing.
  void addSgpr(ValueName value) {
    if (value.kind != ValueKind::UserDataPadding)
      m_interface.inputs.push_back({value, sgpr(m_arguments.size())});
    m_arguments.push_back({value, m_i32});
  }

  void addVgpr(ValueName value, Type *type, bool isListed) {
    m_arguments.push_back({value, type});
    if (isListed)
      m_interface.inputs.push_back({value, {RegisterBank::Vgpr, m_nextVgpr}});
    ++m_nextVgpr;
  }

  void layOutVertexProcessing() {
    for (ValueName value : entryVgprs(m_stage, m_state.vertexSource()))
      addVgpr(value, m_i32, m_reads.contains(value));
    if (m_state.shaderModes().stage != ShaderStage::Vertex)
      return;
    while (m_nextVgpr < FirstAttributeVgpr)
      addVgpr({ValueKind::UserDataPadding}, m_i32, /*isListed=*/false);
    for (auto &[location, input] : m_usage.vertexInputs)
      for (uint8_t dword = 0; dword < 8; ++dword)
        if (input.dwordMask >> dword & 1)
          addVgpr({ValueKind::Attribute, input.location, dword}, m_float, /*isListed=*/true);
  }

  // listPixelInputs decides by the finished code which of these get registers.
  void layOutFragment() {
    for (const dovetail::PsInput &input : dovetail::psInputs()) {
      Type *type = input.kind >= ValueKind::FrontFace ? m_i32 : m_float;
      m_arguments.push_back({{input.kind}, input.count > 1 ? FixedVectorType::get(type, input.count) : type});
    }
    for (auto &[index, mask] : m_usage.colorInputs)
      for (uint8_t component = 0; component < 4; ++component)
        if (mask >> component & 1)
          m_arguments.push_back({{ValueKind::InterpolatedColor, index, component}, m_float});
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
    m_interface.compute.workgroupSize = {mode.workgroupSizeX, mode.workgroupSizeY, mode.workgroupSizeZ};
  }

  llvm::Argument *argumentOf(Function &entry, ValueName value) {
    auto found = std::ranges::find(m_arguments, value, &Argument::value);
    assert(found != m_arguments.end() && "check() has seen it");
    return entry.getArg(found - m_arguments.begin());
  }

  dovetail::Result<void> refuse(std::string_view problem) const {
    return dovetail::makeError(dovetail::ErrorCode::InvalidInput, "the shader does not fit a {} program: {}",
                               dovetail::toString(m_stage), problem);
  }

  // The value in a register at the start that an op reads.
  static std::optional<ValueName> valueOf(const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    switch (call ? Op::opCodeOf(call) : OpCode::Count) {
    case OpCode::HardwareValue: {
      auto *hardware = static_cast<const HardwareValueOp *>(call);
      return ValueName{hardware->kind(), static_cast<uint8_t>(hardware->index())};
    }
    case OpCode::VertexAttribute: {
      auto *attribute = static_cast<const VertexAttributeOp *>(call);
      return ValueName{ValueKind::Attribute, static_cast<uint8_t>(attribute->location()),
                       static_cast<uint8_t>(attribute->dword())};
    }
    case OpCode::ColorInput: {
      auto *color = static_cast<const ColorInputOp *>(call);
      return ValueName{ValueKind::InterpolatedColor, static_cast<uint8_t>(color->index()),
                       static_cast<uint8_t>(color->component())};
    }
    default:
      return std::nullopt;
    }
  }

  void replaceOps(Function &entry) {
    for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
      std::optional<ValueName> value = valueOf(instruction);
      if (!value)
        continue;
      IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(builder.CreateBitCast(argumentOf(entry, *value), instruction.getType()));
      instruction.eraseFromParent();
    }
  }

  void returnStruct(Function &entry) {
    for (BasicBlock &block : entry) {
      auto *end = dyn_cast<ReturnInst>(block.getTerminator());
      if (!end)
        continue;
      IRBuilder<> builder(end);
      Value *result = PoisonValue::get(entry.getReturnType());
      unsigned index = 0;
      for (ValueName value : m_passedOn)
        result = builder.CreateInsertValue(result, argumentOf(entry, value), index++);
      for (ReturnValueOp *op : m_returnValues)
        result = builder.CreateInsertValue(result, builder.CreateBitCast(op->value(), m_float), index++);
      builder.CreateRet(result);
      end->eraseFromParent();
    }
  }

  Function &m_function;
  const PipelineState &m_state;
  HardwareStage m_stage;
  const ResourceUsage &m_usage;
  ShaderInterface &m_interface;
  LLVMContext &m_context;
  Type *m_i32;
  Type *m_float;
  std::set<ValueName> m_reads;
  SmallVector<ReturnValueOp *, 16> m_returnValues; // sorted by number
  SmallVector<Argument, 32> m_arguments;
  SmallVector<ValueName, 4> m_passedOn;
  unsigned m_sgprArguments = 0;
  uint16_t m_nextVgpr = 0;
};

// Lists those of the hardware's VGPRs that the code still reads, by the arguments in their place.
void listEntryVgprs(Function &entry, ShaderInterface &interface) {
  std::span<const ValueName> values = entryVgprs(interface.hardwareStage, interface.source);
  erase_if(interface.inputs, [](const Binding &input) {
    return isRegister(input, RegisterBank::Vgpr) && isHardwareVgpr(input.value.kind);
  });
  auto *first = std::find_if(entry.arg_begin(), entry.arg_end(), [](auto &arg) { return !arg.hasInRegAttr(); });
  for (uint16_t vgpr = 0; vgpr < values.size() && first + vgpr < entry.arg_end(); ++vgpr)
    if (!(first + vgpr)->use_empty())
      interface.inputs.push_back({values[vgpr], {RegisterBank::Vgpr, vgpr}});
  std::ranges::sort(interface.inputs, {}, &Binding::reg);
}

// Lists the fragment inputs that the code reads, with the registers that they get. Returns them as PsInputBits.
uint32_t listPixelInputs(Function &entry, ShaderInterface &interface) {
  auto isVgpr = [](const llvm::Argument &argument) { return !argument.hasInRegAttr(); };
  auto *first = std::find_if(entry.arg_begin(), entry.arg_end(), isVgpr);
  uint32_t mask = 0;
  for (unsigned bit = 0; bit < dovetail::PsInputCount; ++bit)
    if (!(first + bit)->use_empty())
      mask |= 1u << bit;
  if (dovetail::missingPairs(mask))
    mask |= dovetail::PerspCenterEna;

  erase_if(interface.inputs, [](const Binding &input) { return isRegister(input, RegisterBank::Vgpr); });
  uint16_t vgpr = 0;
  for (unsigned bit = 0; bit < dovetail::PsInputCount; ++bit) {
    const dovetail::PsInput &input = dovetail::psInputs()[bit];
    for (uint8_t component = 0; (mask >> bit & 1) && component < input.count; ++component)
      interface.inputs.push_back({{input.kind, 0, component}, {RegisterBank::Vgpr, vgpr++}});
  }
  // LLVM gives a register to every argument behind the hardware's; a monolithic program has no such arguments.
  if (first + dovetail::PsInputCount == entry.arg_end())
    return mask;
  for (const dovetail::ColorInput &color : interface.fragment.colorInputs)
    for (uint8_t component = 0; component < 4; ++component)
      if (color.componentMask >> component & 1)
        interface.inputs.push_back(
            {{ValueKind::InterpolatedColor, color.index, component}, {RegisterBank::Vgpr, vgpr++}});
  return mask;
}

} // namespace

dovetail::Result<Function *> makeEntryPoint(Function &function, const PipelineState &state,
                                            ShaderInterface &interface) {
  EntryPoint entryPoint(function, state, interface);
  entryPoint.layOut();
  DOVETAIL_CHECK(entryPoint.check());
  Function *entry = entryPoint.make();
  if (entry->getCallingConv() == CallingConv::AMDGPU_PS)
    listPixelInputs(*entry, interface);
  return entry;
}

dovetail::Result<void> finishEntryPoint(Function &entry, ShaderInterface &interface) {
  const auto vgprArguments = count_if(entry.args(), [](const llvm::Argument &arg) { return !arg.hasInRegAttr(); });
  if (entry.getCallingConv() == CallingConv::AMDGPU_PS && vgprArguments < dovetail::PsInputCount)
    return dovetail::makeError(dovetail::ErrorCode::InvalidInput,
                               "the function does not take the inputs of a ps program");
  if (entry.getCallingConv() == CallingConv::AMDGPU_PS)
    // LLVM gives registers to exactly these inputs, even if its own passes find that some are unused.
    entry.addFnAttr("InitialPSInputAddr", std::to_string(listPixelInputs(entry, interface)));
  else if (entry.getCallingConv() == CallingConv::AMDGPU_VS)
    listEntryVgprs(entry, interface);
  return {};
}

} // namespace lgc

// SPDX-License-Identifier: MIT
//
// Resource collection walks once over the optimised shader. It finds the hardware values, inputs, outputs and root
// dwords that are still used, and refuses shaders that exceed the hardware's limits.
#include "src/lgc/lowering/lowering.h"
#include "src/lgc/ops/op.h"
#include <algorithm>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <tuple>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::FragmentInput;
using dovetail::makeError;
using dovetail::ValueKind;

namespace lgc {

namespace {

constexpr unsigned MaxLocations = 32;  // of the API
constexpr unsigned MaxParameters = 32; // param0..31, attr0..31
constexpr unsigned MaxVertexLocations = 32;

class Collector {
public:
  Collector(PipelineState &state) : m_state(state), m_usage(state.usage()) {}

  void visit(Instruction &instruction) {
    if (auto *op = dyn_cast<Op>(&instruction))
      return visitOp(KnownOp(*op));
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
      Intrinsic::ID id = intrinsic->getIntrinsicID();
      if (id == Intrinsic::amdgcn_kill || id == Intrinsic::amdgcn_wqm_demote)
        m_usage.usesDiscard = true;
      m_usage.numbersLanes |= m_state.shaderModes().stage == ShaderStage::Compute && numbersLanes(*intrinsic);
    }
    if (writesMemory(instruction))
      m_usage.writesMemory = true;
  }

  void finish() {
    for (auto &[slot, mask] : m_conditionalClipDistances)
      if (!m_usage.outputs.contains(slot))
        m_usage.outputs[slot].componentMask = mask;
    bool readsSamples = m_usage.uses(ValueKind::Ancillary) || m_usage.uses(ValueKind::PerspSample) ||
                        m_usage.uses(ValueKind::LinearSample);
    m_usage.runsAtSampleRate = m_state.shaderModes().stage == ShaderStage::Fragment && readsSamples;
    if (m_readsSampleMask && m_usage.runsAtSampleRate)
      m_usage.hardwareValues.insert({ValueKind::Ancillary, 0, 0}); // has the number of the shaded sample

    auto byLocation = [](const FragmentInput &input) {
      return std::tuple(input.location, input.flat, input.ofVertices, input.halves != 0);
    };
    std::ranges::sort(m_usage.fragmentInputs, {}, byLocation);
    if (m_usage.fragmentInputs.size() > MaxParameters)
      m_state.fail(ErrorCode::Unsupported,
                   fmt::format("the fragment shader reads {} input locations; the hardware has {}",
                               m_usage.fragmentInputs.size(), MaxParameters));
  }

private:
  // Whether the instruction writes memory that others can see: buffers, images, global memory.
  static bool writesMemory(const Instruction &instruction) {
    if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction))
      return false;
    auto isLocal = [](const Value *pointer) {
      unsigned space = pointer->getType()->getPointerAddressSpace();
      return space == AMDGPUAS::LOCAL_ADDRESS || space == AMDGPUAS::PRIVATE_ADDRESS;
    };
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return !isLocal(store->getPointerOperand());
    if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
      return !isLocal(atomic->getPointerOperand());
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return !isLocal(exchange->getPointerOperand());
    if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
      return !isLocal(memory->getDest());
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
      return !intrinsic->isAssumeLikeIntrinsic() && !intrinsic->onlyAccessesInaccessibleMemory() &&
             !onlyControlsLanes(intrinsic->getIntrinsicID());
    return false;
  }

  // Whether the intrinsic passes values from lane to lane, or reads a lane's number.
  static bool numbersLanes(const IntrinsicInst &intrinsic) {
    switch (intrinsic.getIntrinsicID()) {
    case Intrinsic::amdgcn_s_barrier:
      return false;
    case Intrinsic::amdgcn_mbcnt_lo:
    case Intrinsic::amdgcn_mbcnt_hi:
      return true;
    default:
      return intrinsic.isConvergent();
    }
  }

  // Whether the intrinsic has no effect on memory although LLVM does not say so.
  static bool onlyControlsLanes(Intrinsic::ID id) {
    switch (id) {
    case Intrinsic::amdgcn_kill:
    case Intrinsic::amdgcn_wqm_demote:
    case Intrinsic::amdgcn_s_barrier:
    case Intrinsic::amdgcn_wave_barrier:
    case Intrinsic::amdgcn_s_memtime:
    case Intrinsic::amdgcn_s_memrealtime:
    case Intrinsic::amdgcn_s_sendmsg:
    case Intrinsic::amdgcn_s_setreg:
    case Intrinsic::amdgcn_s_sleep:
    case Intrinsic::amdgcn_pops_exiting_wave_id:
      return true;
    default:
      return false;
    }
  }

  void visitOp(KnownOp op) {
    if (auto *value = op.as<HardwareValueOp>()) {
      m_usage.hardwareValues.insert({value->kind(), static_cast<uint8_t>(value->index()), 0});
    } else if (auto *attribute = op.as<VertexAttributeOp>()) {
      addAttribute(*attribute);
    } else if (auto *color = op.as<ColorInputOp>()) {
      m_usage.colorInputs[static_cast<uint8_t>(color->index())] |= 1u << color->component();
    } else if (auto *smooth = op.as<SmoothFragmentInputOp>()) {
      addFragmentInput(*smooth, ParameterKind::Smooth);
    } else if (auto *flat = op.as<FlatFragmentInputOp>()) {
      addFragmentInput(*flat, ParameterKind::Flat);
    } else if (auto *vertex = op.as<VertexFragmentInputOp>()) {
      addFragmentInput(*vertex, ParameterKind::OfVertices);
    } else if (op.as<SampleMaskInOp>()) {
      m_readsSampleMask = true;
      m_usage.hardwareValues.insert({ValueKind::SampleCoverage, 0, 0});
    } else if (auto *output = op.as<WriteOutputOp>()) {
      addOutput(*output);
    } else if (auto *load = op.as<LoadDescriptorOp>()) {
      addDescriptor(*load);
    } else if (auto *read = op.as<ReadPushConstantsOp>()) {
      addPushConstants(*read);
    }
  }

  void addAttribute(const VertexAttributeOp &attribute) {
    unsigned location = attribute.location();
    if (location >= MaxVertexLocations || attribute.dword() >= 8)
      return m_state.fail(ErrorCode::InvalidInput,
                          fmt::format("vertex attribute {} is out of range, or has more than 8 words", location));
    auto [input, isNew] = m_usage.vertexInputs.try_emplace(location);
    if (isNew)
      input->second = {static_cast<uint8_t>(location), 0, attribute.numericClass(),
                       static_cast<uint8_t>(attribute.elementBits())};
    input->second.dwordMask |= 1u << attribute.dword();
  }

  template <typename T> void addFragmentInput(T &op, ParameterKind kind) {
    const unsigned location = op.location();
    bool isBuiltIn = location >= dovetail::PrimitiveIdParameter && location <= dovetail::PointCoordParameter;
    if (location >= MaxLocations && !isBuiltIn)
      return m_state.fail(ErrorCode::InvalidInput, fmt::format("fragment input location {} is out of range", location));
    const FragmentInput input =
        parameterRead(m_state.interShaderData(), kind, location, op.component(), op.elementBits()).input;
    auto found = std::ranges::find_if(m_usage.fragmentInputs,
                                      [&](const FragmentInput &other) { return isSameInput(other, input); });
    if (found == m_usage.fragmentInputs.end())
      m_usage.fragmentInputs.push_back(input);
    else
      found->halves |= input.halves;
  }

  void addOutput(const WriteOutputOp &output) {
    if (isa<UndefValue>(output.value()))
      return; // the shader declares the component but never writes it
    OutputSlot slot = {output.kind(), output.slot()};
    bool isFragment = m_state.shaderModes().stage == ShaderStage::Fragment;
    unsigned limit = isFragment ? 16 : MaxLocations; // two blend sources of eight targets
    if (slot.kind == OutputKind::Generic && slot.slot >= limit)
      return m_state.fail(ErrorCode::InvalidInput, fmt::format("output location {} is out of range", slot.slot));
    uint8_t bit = 1u << output.component();
    bool isClip = slot.kind == OutputKind::ClipDistance || slot.kind == OutputKind::CullDistance;
    if (isClip && output.condition()) {
      m_conditionalClipDistances[slot] |= bit;
      return;
    }
    OutputUsage &usage = m_usage.outputs[slot];
    usage.componentMask |= bit;
    usage.numericClass = output.numericClass();
  }

  void addDescriptor(const LoadDescriptorOp &load) {
    if (!isInRoot(load.resource()) && load.resource() != dovetail::ResourceKind::ImmutableSampler)
      addRootValue(ValueKind::DescriptorSet, load.set());
    if (const auto names = rootDwordsOf(load, m_state))
      m_usage.rootValues.insert(names->begin(), names->end());
  }

  void addPushConstants(const ReadPushConstantsOp &read) {
    auto *constant = dyn_cast<ConstantInt>(read.byteOffset());
    if (!constant)
      return; // read from memory
    const DataLayout &layout = read.getModule()->getDataLayout();
    uint64_t begin = constant->getZExtValue();
    uint64_t end = begin + layout.getTypeStoreSize(read.resultType());
    for (uint64_t dword = begin / 4; dword * 4 < end; ++dword)
      if (!addRootValue(ValueKind::PushConstant, dword))
        return;
  }

  bool addRootValue(ValueKind kind, uint64_t index) {
    constexpr uint64_t maxIndex = UINT8_MAX; // of ValueName::index
    if (index <= maxIndex)
      m_usage.rootValues.insert({kind, static_cast<uint8_t>(index)});
    else
      m_state.fail(ErrorCode::Unsupported,
                   fmt::format("{} {} is out of range",
                               kind == ValueKind::DescriptorSet ? "set" : "dword of push constants", index));
    return index <= maxIndex;
  }

  PipelineState &m_state;
  ResourceUsage &m_usage;
  std::map<OutputSlot, uint8_t> m_conditionalClipDistances;
  bool m_readsSampleMask = false;
};

} // namespace

dovetail::Result<void> collectResources(Function &function, PipelineState &state) {
  ShaderStage stage = state.shaderModes().stage;
  using dovetail::HardwareStage;
  HardwareStage hardwareStage = state.hardwareStage();
  bool isPlaceable = stage != ShaderStage::Vertex && stage != ShaderStage::TessEval;
  for (HardwareStage possible : {HardwareStage::Vs, HardwareStage::Es, HardwareStage::Ls})
    isPlaceable |= hardwareStage == possible && (stage == ShaderStage::Vertex || possible != HardwareStage::Ls);
  if (!isPlaceable)
    return makeError(ErrorCode::InvalidInput, "a {} shader cannot run as {}",
                     stage == ShaderStage::Vertex ? "vertex" : "tessellation evaluation", toString(hardwareStage));
  if (!function.getReturnType()->isVoidTy() || !function.arg_empty())
    return makeError(ErrorCode::InvalidInput, "the entry function takes or returns values");
  const ComputeShaderMode &compute = state.shaderModes().compute;
  uint64_t invocations = uint64_t(compute.workgroupSizeX) * compute.workgroupSizeY;
  invocations = std::min<uint64_t>(invocations, UINT32_MAX) * compute.workgroupSizeZ;
  constexpr unsigned maxInvocations = 1024;
  if (stage == ShaderStage::Compute && (invocations == 0 || invocations > maxInvocations))
    return makeError(ErrorCode::InvalidInput, "a workgroup of {} x {} x {} invocations; the hardware has 1 to {}",
                     compute.workgroupSizeX, compute.workgroupSizeY, compute.workgroupSizeZ, maxInvocations);

  Collector collector(state);
  for (Instruction &instruction : instructions(function))
    collector.visit(instruction);
  collector.finish();
  return state.checkNoFailure();
}

} // namespace lgc

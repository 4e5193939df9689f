// SPDX-License-Identifier: MIT
//
// Barriers and clocks. The lanes of a subgroup run in step, so only a barrier over the workgroup makes waves wait. The
// storage classes in a barrier's memory semantics decide what it orders, and its memory scope decides how far.
#include "src/spirv/translate/translator.h"

using namespace llvm;

namespace dovetail::spirv {

Result<unsigned> Translator::barrierScope(const Instruction &inst, uint32_t scopeId, uint32_t semanticsId) {
  using Mask = spv::MemorySemanticsMask;
  uint64_t scope = DOVETAIL_TRY(constantInteger(inst, scopeId));
  uint64_t semantics = DOVETAIL_TRY(constantInteger(inst, semanticsId));
  constexpr uint64_t orders = uint64_t(Mask::Acquire) | uint64_t(Mask::Release) | uint64_t(Mask::AcquireRelease) |
                              uint64_t(Mask::SequentiallyConsistent);
  if (!(semantics & orders) || scope == uint64_t(spv::Scope::Invocation))
    return 0u;
  unsigned bits = 0;
  if (semantics & uint64_t(Mask::WorkgroupMemory))
    bits |= lgc::WorkgroupMemory;
  if (semantics &
      (uint64_t(Mask::UniformMemory) | uint64_t(Mask::CrossWorkgroupMemory) | uint64_t(Mask::AtomicCounterMemory)))
    bits |= lgc::BufferMemory;
  // Outputs are shared in control shaders only; outputs that are read back lie in LDS.
  if (semantics & uint64_t(Mask::OutputMemoryKHR))
    bits |= lgc::WorkgroupMemory;
  if (semantics & uint64_t(Mask::ImageMemory))
    bits |= lgc::ImageMemory;
  bool isWide = scope != uint64_t(spv::Scope::Workgroup) && scope != uint64_t(spv::Scope::Subgroup);
  if (bits && isWide)
    bits |= lgc::DeviceScope;
  return bits;
}

Result<void> Translator::translateBarrier(const Instruction &inst) {
  bool isControl = inst.opcode == spv::Op::OpControlBarrier;
  unsigned bits = DOVETAIL_TRY(barrierScope(inst, inst.operand(isControl ? 1 : 0), inst.operand(isControl ? 2 : 1)));
  if (bits)
    m_builder.CreateMemoryBarrier(bits);
  if (!isControl)
    return {};
  uint64_t scope = DOVETAIL_TRY(constantInteger(inst, inst.operand(0)));
  if (scope == uint64_t(spv::Scope::Subgroup) || scope == uint64_t(spv::Scope::Invocation))
    return {};
  if (scope != uint64_t(spv::Scope::Workgroup))
    return unsupported(inst, "waiting for more than a workgroup");
  // A control shader's workgroup is its patch. The barrier itself orders outputs, with any semantics.
  if (m_options.stage != lgc::ShaderStage::Compute && m_options.stage != lgc::ShaderStage::TessControl)
    return unsupported(inst, "workgroups outside of compute and tessellation control shaders");
  m_builder.CreateBarrier();
  // Writes of other waves from before the barrier are seen after it.
  if (bits)
    m_builder.CreateMemoryBarrier(bits);
  return {};
}

// Unordered interlocks are ordered, too: no cheaper means keeps invocations apart.
Result<void> Translator::translateInterlock(const Instruction &inst) {
  if (m_builder.shaderModes().fragment.interlock == FragmentInterlock::None)
    return unsupported(inst, "an interlock without an execution mode that says of what");
  if (inst.opcode == spv::Op::OpBeginInvocationInterlockEXT)
    m_builder.CreateBeginInvocationInterlock();
  else
    m_builder.CreateEndInvocationInterlock();
  return {};
}

Result<void> Translator::translateReadClock(const Instruction &inst) {
  uint64_t scope = DOVETAIL_TRY(constantInteger(inst, inst.operand(0)));
  Type *type = DOVETAIL_TRY(valueType(inst, inst.resultType));
  Value *clock = m_builder.CreateReadClock(scope == uint64_t(spv::Scope::Device));
  setValue(inst, m_builder.CreateBitCast(clock, type));
  return {};
}

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// Barriers and clocks. The lanes of a subgroup run in step, so only a barrier over the workgroup makes waves wait. The
// storage classes in a barrier's memory semantics decide what it orders, and its memory scope decides how far.
#include "src/spirv/translate/ops/handlers.h"

using namespace llvm;

namespace dovetail::spirv {

Result<unsigned> barrierScope(Services &s, const Instruction &inst, unsigned scopeIndex) {
  using Mask = spv::MemorySemanticsMask;
  uint64_t scope = DOVETAIL_TRY(s.constant(inst, scopeIndex));
  uint64_t semantics = DOVETAIL_TRY(s.constant(inst, scopeIndex + 1));
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

Result<void> translateMemoryBarrier(Services &s, const Instruction &inst) {
  if (unsigned bits = DOVETAIL_TRY(barrierScope(s, inst, 0)))
    s.builder.CreateMemoryBarrier(bits);
  return {};
}

Result<void> translateControlBarrier(Services &s, const Instruction &inst) {
  const unsigned bits = DOVETAIL_TRY(barrierScope(s, inst, 1));
  if (bits)
    s.builder.CreateMemoryBarrier(bits);
  const uint64_t scope = DOVETAIL_TRY(s.constant(inst, 0));
  if (scope == uint64_t(spv::Scope::Subgroup) || scope == uint64_t(spv::Scope::Invocation))
    return {};
  if (scope != uint64_t(spv::Scope::Workgroup))
    return unsupported(inst, "waiting for more than a workgroup");
  // A control shader's workgroup is its patch. The barrier itself orders outputs, with any semantics.
  if (s.options.stage != lgc::ShaderStage::Compute && s.options.stage != lgc::ShaderStage::TessControl)
    return unsupported(inst, "workgroups outside of compute and tessellation control shaders");
  s.builder.CreateBarrier();
  // Writes of other waves from before the barrier are seen after it.
  if (bits)
    s.builder.CreateMemoryBarrier(bits);
  return {};
}

Result<Value *> translateReadClock(Services &s, const Instruction &inst) {
  uint64_t scope = DOVETAIL_TRY(s.constant(inst, 0));
  Type *type = DOVETAIL_TRY(s.valueType(inst));
  Value *clock = s.builder.CreateReadClock(scope == uint64_t(spv::Scope::Device));
  return s.builder.CreateBitCast(clock, type);
}

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// A bind that did not find its variant. The state is made canonical, because another state may come to the same
// variant; then the variant is looked up, or its parts are and it is joined from them. A state that changes a main
// part's own code takes a compiler: if the caller has something else to draw with, that build is left to the
// background.
#include "variants/bind/device_core.h"
#include "variants/build/canonicalize.h"
#include "variants/build/state_table.h"
#include "variants/optimize/optimized_variant.h"

namespace dovetail {

namespace {

bool changesMainPart(const ShaderSet &shaders, const PipelineState &canonicalState) {
  const spirv::Reflection *fragment = shaders.reflection(lgc::ShaderStage::Fragment);
  return fragment && mainPartState(canonicalState, *fragment) != MainPartState();
}

} // namespace

Result<FoundVariant> DeviceCore::findOrBuild(const BindRequest &request) {
  const Program &program = *request.program;
  PipelineState canonical = canonicalize(request.state, program.set);
  if (request.fallback && changesMainPart(program.set, canonical))
    if (auto found = leaveToBackground(request, canonical))
      return std::move(*found);

  VariantTables::Lookup lookup = DOVETAIL_TRY(getVariant(program.set, program.hash, canonical, {}));
  FoundVariant found = {std::move(lookup.value), false, lookup.waited};
  if (m_options.policy == OptimizationPolicy::Off) {
    m_tables.fillSlot(request.slotKey, found.variant, 0);
    return found;
  }

  // A slot that comes to the same may have had it optimised before.
  if (m_options.policy == OptimizationPolicy::Always || m_options.hotBinds <= 1) {
    m_tables.fillSlot(request.slotKey, found.variant, 0);
    m_background.requestOptimized(request, found.variant);
    return found;
  }
  std::optional<VariantRef> optimized =
      m_tables.findValue(makeOptimizedKey(program.set, canonical, request.uniforms.get()));
  if (optimized && *optimized)
    found.variant = std::move(*optimized);
  // The bind that asks now counts already (binder.cpp).
  m_tables.fillSlot(request.slotKey, found.variant, optimized ? 0 : m_options.hotBinds);
  return found;
}

// Nothing: the bind must do it itself.
std::optional<FoundVariant> DeviceCore::leaveToBackground(const BindRequest &request,
                                                          const PipelineState &canonicalState) {
  if (m_tables.findVariant(makeVariantKey(request.program->hash, canonicalState, {})))
    return std::nullopt; // it takes no build at all
  bool isDue = false;
  uint32_t now = m_tables.now();
  m_tables.withSlot(request.slotKey, [&](VariantSlot &slot) {
    slot.touch(now);
    // A request that was refused is repeated when the countdown is over.
    bool waits = slot.countdown.load(std::memory_order_relaxed) > 0 && !slot.countDown();
    isDue = slot.build.load(std::memory_order_relaxed) == SlotBuild::None && !waits;
    if (isDue)
      slot.build.store(SlotBuild::Queued, std::memory_order_relaxed);
  });
  if (isDue) {
    try {
      m_background.requestFirst(request, canonicalState);
    } catch (...) {
      m_tables.withExistingSlot(
          request.slotKey, [](VariantSlot &slot) { slot.build.store(SlotBuild::None, std::memory_order_relaxed); });
      throw;
    }
  }
  return FoundVariant{request.fallback, true, false};
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Handles a bind that did not find its variant. Another state may lead to the same variant, so the program's plan
// (assemble/program_plan.h) first finds the variant's key and how the variant is made of what is known. If the key has
// a variant, nothing is made.
//
// The first variant of a program goes another way: the whole state is made canonical, and all parts are found by their
// keys, or made (assemble/build_variant.h). So does a state whose main parts are missing or cannot be joined, which
// takes a compiler. If the caller has a fallback to draw with, that build is left to the background. So are all builds
// of a bind that never compiles.
#include "src/base/asking_thread.h"
#include "variants/assemble/build_variant.h"
#include "variants/bind/binder.h"
#include "variants/bind/device_core.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include "variants/state/state_table.h"
#include <algorithm>
#include <new>

namespace dovetail {

namespace {

bool changesMainPart(const ShaderSet &shaders, const PipelineState &canonicalState) {
  return mainPartStates(canonicalState, shaders) != MainPartStates();
}

bool hasMonolithicPart(const Variant &variant) {
  return std::ranges::any_of(variant.image->parts,
                             [](const ImagePart &placed) { return placed.part->key.kind == PartKind::Monolithic; });
}

} // namespace

struct DeviceCore::BuildSubject {
  const ShaderSet &shaders;
  const PipelineState &state;
  DumpedBuild kind = DumpedBuild::Variant;
};

// Builds each variant once, for all callers. `isJoined`: it is known to have no monolithic part.
template <typename Build>
Result<VariantTables::Lookup> DeviceCore::getOrBuild(const VariantKey &key, bool isJoined, const BuildSubject &subject,
                                                     const Build &build) {
  BuildWatch watch(m_dumps);
  Result<VariantTables::Lookup> lookup = m_tables.getOrMake(key, [&] {
    Result<VariantRef> variant = watch.run(build);
    auto &counter = !variant                                    ? m_built.failed
                    : isJoined || !hasMonolithicPart(**variant) ? m_built.joined
                                                                : m_built.monolithic;
    counter.fetch_add(1, std::memory_order_relaxed);
    if (variant)
      noteParts(*m_partMaker, **variant);
    return variant;
  });
  // Beyond this point, nobody waits for this build.

  if (mayWait) // writing the file may wait for a disk
    watch.report(subject.kind, subject.shaders, &subject.state);
  if (lookup && lookup->made) {
    if (mayWait)
      m_budget.enforce();
    else
      m_background.requestEviction();
  }
  return lookup;
}

Result<VariantTables::Lookup> DeviceCore::getVariant(const VariantKey &key, const ShaderSet &shaders,
                                                     const PipelineState &canonicalState,
                                                     const BuildOptions &buildOptions) {
  const DumpedBuild kind = buildOptions.monolithic ? DumpedBuild::Monolithic : DumpedBuild::Variant;
  return getOrBuild(key, false, {shaders, canonicalState, kind},
                    [&] { return buildVariant(*m_partMaker, key, shaders, canonicalState, buildOptions); });
}

Result<FoundVariant> DeviceCore::findOrBuild(const BindRequest &request) {
  const Program &program = *request.program;
  const WaitlessScope scope(request.options.neverCompiles);
  const BuildSubject subject = {program.set, request.state.fields};
  for (const ProgramPlan *plan = program.plans(); plan; plan = plan->next()) {
    if (plan->device() != m_number)
      continue;
    if (const auto recipe = plan->findRecipe(*m_partMaker, m_planMemory, program, request.state)) {
      auto make = [&] { return plan->make(*m_partMaker, *recipe); };
      return fillSlot(request, recipe->key, DOVETAIL_TRY(getOrBuild(recipe->key, true, subject, make)));
    }
  }

  // This is the program's first variant, a variant that takes a compiler, or an Error.
  const PipelineState canonical = canonicalize(request.state.fields, program.set);
  const VariantKey key = makeVariantKey(program.hash, canonical, {});
  const BindOptions &options = request.options;
  const bool isLeft = options.neverCompiles || (options.fallback && changesMainPart(program.set, canonical));
  if (isLeft)
    return findOrLeave(request, key, canonical);
  VariantTables::Lookup lookup = DOVETAIL_TRY(getVariant(key, program.set, canonical, {.tier = firstTier()}));
  notePlan(program, *lookup.value, canonical);
  return fillSlot(request, key, std::move(lookup));
}

// Puts the joined variant of this key into the slot, or a better one that exists already. Also arranges that the
// background makes a better one: at once, if the variant has first code; an optimised one when it is due.
FoundVariant DeviceCore::fillSlot(const BindRequest &request, const VariantKey &key, VariantTables::Lookup lookup) {
  FoundVariant found = {std::move(lookup.value), false, lookup.made, lookup.waited};
  if (m_options.policy == OptimizationPolicy::Off) {
    m_tables.fillSlot(request.slotKey, found.variant, 0);
    m_background.requestChangeOver(request, *found.variant);
    return found;
  }
  if (m_options.policy == OptimizationPolicy::Always || m_options.hotBinds <= 1) {
    m_tables.fillSlot(request.slotKey, found.variant, 0);
    m_background.requestOptimized(request, found.variant);
    return found;
  }
  // Another slot with the same optimised key may have had it optimised before.
  std::optional<VariantRef> optimized =
      m_tables.findValue(makeOptimizedKey(request.program->set, key, request.uniforms.get()));
  if (optimized && *optimized)
    found.variant = std::move(*optimized);
  // The bind that asks now counts already (binder.cpp).
  m_tables.fillSlot(request.slotKey, found.variant, optimized ? 0 : m_options.hotBinds);
  m_background.requestChangeOver(request, *found.variant);
  return found;
}

// Returns the variant if it exists; otherwise asks the background for it.
Result<FoundVariant> DeviceCore::findOrLeave(const BindRequest &request, const VariantKey &key,
                                             const PipelineState &canonicalState) {
  VariantRef known = m_tables.findVariant(key);
  bool waits = false; // for the next time to ask the background, which had no room
  if (!known)
    m_tables.withSlot(request.slotKey, [&](VariantSlot &slot) {
      noteUse(*slot.lastUse, m_tables.usePeriod());
      // If the slot has a variant, a running countdown is for the optimised one.
      waits = !slot.current() && slot.countdown.load(std::memory_order_relaxed) > 0 && !slot.countDown();
    });
  bool isAsked = false;
  if (!known && !waits) {
    BackgroundBuilds::FirstAnswer answer = DOVETAIL_TRY(m_background.requestFirst(request, key, canonicalState));
    known = std::move(answer.variant);
    isAsked = answer.isAsked;
  }
  if (known) {
    notePlan(*request.program, *known, canonicalState);
    return fillSlot(request, key, {std::move(known)});
  }
  if (!waits && !isAsked)
    m_tables.withExistingSlot(request.slotKey, [](VariantSlot &slot) {
      if (!slot.current())
        slot.setCountdown(BackgroundBuilds::BindsUntilRetry);
    });
  if (request.options.fallback)
    return FoundVariant{request.options.fallback, true, false, false};
  return makeError(ErrorCode::NotReady, isAsked ? "the variant takes a compiler, which the background was asked for"
                                                : "the variant takes a compiler, for which the background has no room");
}

void DeviceCore::notePlan(const Program &program, const Variant &variant, const PipelineState &canonicalState) {
  if (hasMonolithicPart(variant))
    return;
  const MainPartStates states = mainPartStates(canonicalState, program.set);
  for (const ProgramPlan *known = program.plans(); known; known = known->next())
    if (known->device() == m_number && known->mainPartStates() == states &&
        (!known->hasFirstCode() || hasFirstCode(variant)))
      return;
  try {
    program.addPlan(std::make_unique<ProgramPlan>(m_number, program.set, canonicalState, *variant.image));
  } catch (const std::bad_alloc &) { // the variant is good without a plan
  }
}

} // namespace dovetail

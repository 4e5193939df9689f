// SPDX-License-Identifier: MIT
//
// A bind looks in three places, each much slower than the one before:
//
//   the last bind           a hash and a pointer are compared; both belong to this thread, or are seldom written
//   the bind table          read without a lock; the result is pinned instead of counted (reader_epochs.h)
//   DeviceCore::findOrBuild the tables of variants and parts, with locks, and the compilers
//
// The first two are short on purpose: while a processor waits for a cell, it runs ahead, and should get far enough to
// fetch the cell of the next bind.
//
// The last bind is kept as its place in the table and a pinned variant. Pinned memory is not freed, nor is its address
// reused. So a comparison of the cell's pointer with the variant tells whether a better variant was published, or the
// slot was evicted.
#include "variants/bind/binder.h"
#include "variants/bind/device_core.h"
#include "variants/state/canonicalize.h"
#include <optional>

namespace dovetail {

namespace {

Hash128 slotKeyOf(const ProgramRef &program, const Hash128 &stateHash, const UniformValuesRef &uniforms) {
  return makeSlotKey(program->bindHash, stateHash, uniforms ? uniforms->hash : Hash128());
}

} // namespace

struct Binder::Impl {
  explicit Impl(DeviceCore &core) : core(core) { core.addBinder(reader, counters); }
  ~Impl() { core.removeBinder(reader, counters); }

  Result<const Variant *> bind(const ProgramRef &program, const GivenState &state, const Hash128 &stateHash,
                               void *stateUser, const UniformValuesRef &uniforms, const BindOptions &options);
  bool findKnown(const Hash128 &slotKey);
  Result<const Variant *> bindFurther(const BindRequest &request, bool isKnown);
  Result<const Variant *> bindMissing(const BindRequest &request);
  void hold(VariantRef other, const Hash128 &slotKey);
  void letGo();

  DeviceCore &core;
  VariantTables::Reader reader;
  BindCounters counters;
  BindKind lastKind = BindKind::None;
  BindInfo lastMissing; // of a bind that a look-up did not serve

  // The current bind. The place's array and `variant` are pinned; without a place, `held` keeps the variant.
  Hash128 key; // of its slot
  VariantTables::Place place;
  const Variant *variant = nullptr;
  VariantRef held;

  // The last state that was given as plain fields.
  PipelineState fields;
  StateHashes fieldsHashes;
  std::optional<Hash128> fieldsHash; // nothing: memory ran out while the fields were copied
};

// Makes the last bind, or the table's variant for the key, the current one; false if there is neither.
inline bool Binder::Impl::findKnown(const Hash128 &slotKey) {
  if (place && slotKey == key && place.read(std::memory_order_acquire).variant() == variant) {
    BindCounters::increment(counters.unchanged);
    lastKind = BindKind::Unchanged;
    return true;
  }
  if (!core.tables().findAndPin(slotKey, reader, place))
    return false;
  BindCounters::increment(counters.known);
  lastKind = BindKind::Known;
  key = slotKey;
  variant = place.variant();
  if (held) [[unlikely]]
    letGo();
  return true;
}

[[gnu::noinline]] void Binder::Impl::letGo() {
  held.reset();
}

// Makes a variant without a slot the current one.
void Binder::Impl::hold(VariantRef other, const Hash128 &slotKey) {
  held = std::move(other);
  variant = held.get();
  key = slotKey;
  place = {};
  reader.pin(nullptr, nullptr);
}

BindKind kindOf(const FoundVariant &found, const PartTally &parts) {
  if (found.isFallback)
    return BindKind::Fallback;
  if (!found.made)
    return BindKind::Found;
  if (parts.compiled > 0)
    return BindKind::Compiled;
  return parts.encoded + parts.stored > 0 ? BindKind::Encoded : BindKind::Joined;
}

// Handles a slot that is not in the table, or was evicted.
Result<const Variant *> Binder::Impl::bindMissing(const BindRequest &request) {
  lastKind = BindKind::None;
  partTally = {};
  Result<FoundVariant> result = core.findOrBuild(request);
  if (!result) {
    if (result.error().code == ErrorCode::NotReady) {
      BindCounters::increment(counters.notReady);
      lastKind = BindKind::NotReady;
      lastMissing = {lastKind, false, partTally};
    }
    return tl::unexpected<Error>(std::move(result.error()));
  }
  FoundVariant &found = *result;
  lastKind = kindOf(found, partTally);
  lastMissing = {lastKind, found.waited || partTally.waited > 0, partTally};
  // Meanwhile there may be a better variant; or the slot was evicted again.
  if (found.isFallback || !core.tables().findAndPin(request.slotKey, reader, place)) {
    hold(std::move(found.variant), request.slotKey);
  } else {
    key = request.slotKey;
    variant = place.variant();
    held.reset();
  }
  BindCounters::increment(found.isFallback ? counters.fallbacks : counters.others);
  if (found.waited)
    BindCounters::increment(counters.waited);
  return variant;
}

inline Result<const Variant *> Binder::Impl::bind(const ProgramRef &program, const GivenState &state,
                                                  const Hash128 &stateHash, void *stateUser,
                                                  const UniformValuesRef &uniforms, const BindOptions &options) {
  const Hash128 slotKey = slotKeyOf(program, stateHash, uniforms);
  const bool isKnown = findKnown(slotKey);
  if (isKnown && !place.bound().counts()) [[likely]]
    return variant;
  return bindFurther({program, state, uniforms, slotKey, {program->user, stateUser}, options}, isKnown);
}

// The rare cases: the variant was not found, or its binds are counted.
[[gnu::noinline]] Result<const Variant *> Binder::Impl::bindFurther(const BindRequest &request, bool isKnown) {
  if (!isKnown)
    DOVETAIL_TRY(bindMissing(request));
  if (place && place.bound().counts() && place.slot().countDown())
    core.background().requestOptimized(request, variant->shared_from_this());
  return variant;
}

Binder::Binder(Device &device) : m_impl(std::make_unique<Impl>(device.core())) {}

Binder::~Binder() = default;

Result<const Variant *> Binder::bind(const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms,
                                     const BindOptions &options) {
  return m_impl->bind(program, {state->fields, state->hashes}, state->hash, state->user, uniforms, options);
}

Result<const Variant *> Binder::bind(const ProgramRef &program, const PipelineState &state,
                                     const UniformValuesRef &uniforms, const BindOptions &options) {
  Impl &impl = *m_impl;
  if (!impl.fieldsHash || state != impl.fields) {
    impl.fieldsHash.reset();
    impl.fields = state;
    impl.fieldsHashes = hashState(state);
    impl.fieldsHash = impl.fieldsHashes.hash();
  }
  return impl.bind(program, {impl.fields, impl.fieldsHashes}, *impl.fieldsHash, nullptr, uniforms, options);
}

void Binder::prefetch(const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms) const {
  m_impl->core.tables().prefetch(slotKeyOf(program, state->hash, uniforms));
}

VariantRef Binder::current() const {
  if (m_impl->held)
    return m_impl->held;
  return m_impl->variant ? m_impl->variant->shared_from_this() : nullptr;
}

BinderStatistics Binder::statistics() const {
  const BindCounters &counters = m_impl->counters;
  return {counters.unchanged, counters.known, counters.fallbacks, counters.notReady, counters.others, counters.waited};
}

BindInfo Binder::lastBind() const {
  switch (m_impl->lastKind) {
  case BindKind::None:
  case BindKind::Unchanged:
  case BindKind::Known:
    return {.kind = m_impl->lastKind};
  default:
    return m_impl->lastMissing;
  }
}

} // namespace dovetail

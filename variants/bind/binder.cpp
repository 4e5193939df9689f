// SPDX-License-Identifier: MIT
//
// A bind looks in three places, each much slower than the one before:
//
//   what was bound last      three hashes and one pointer are compared; all of it is this thread's, or seldom written
//   the bind table           read without a lock; what is found is pinned instead of counted (reader_epochs.h)
//   DeviceCore::findOrBuild  the tables of variants and parts, with locks, and the compilers
//
// What is bound last is kept by its slot and its variant being pinned. So neither can be freed, nor its address be
// given to another, and comparing the slot's pointer with the variant tells whether a better one was published, or the
// slot was evicted.
#include "variants/bind/binder.h"
#include "variants/bind/device_core.h"
#include "variants/build/canonicalize.h"
#include <optional>

namespace dovetail {

struct Binder::Impl {
  explicit Impl(DeviceCore &core) : core(core) { core.addBinder(reader, counters); }
  ~Impl() { core.removeBinder(reader, counters); }

  Result<const Variant *> bind(const ProgramRef &program, const GivenState &state, const Hash128 &stateHash,
                               void *stateUser, const UniformValuesRef &uniforms, const BindOptions &options);
  Result<const Variant *> bindMissing(const BindRequest &request);
  bool findAndPin(const Hash128 &key);
  void hold(VariantRef other);

  DeviceCore &core;
  VariantTables::Reader reader;
  BindCounters counters;

  // What is bound. The slot's array and `variant` are pinned; without a slot, `held` keeps the variant.
  Hash128 program, state, uniforms;
  VariantSlot *slot = nullptr;
  const Variant *variant = nullptr;
  VariantRef held;

  // The last state that was given as plain fields.
  PipelineState fields;
  StateHashes fieldsHashes;
  std::optional<Hash128> fieldsHash; // nothing: memory ran out while they were copied
};

// Makes what the table has for the key the current one; false if it has nothing.
bool Binder::Impl::findAndPin(const Hash128 &key) {
  const VariantTables::Bound bound = core.tables().findAndPin(key, reader, slot);
  if (!bound.variant)
    return false;
  slot = bound.slot;
  variant = bound.variant;
  if (held)
    held.reset();
  return true;
}

// Makes a variant without a slot the current one.
void Binder::Impl::hold(VariantRef other) {
  held = std::move(other);
  variant = held.get();
  slot = nullptr;
  reader.pin(nullptr, nullptr);
}

Result<const Variant *> Binder::Impl::bind(const ProgramRef &newProgram, const GivenState &newState,
                                           const Hash128 &stateHash, void *stateUser,
                                           const UniformValuesRef &newUniforms, const BindOptions &options) {
  const Hash128 uniformsHash = newUniforms ? newUniforms->hash : Hash128();
  const bool isSame = slot && newProgram->bindHash == program && stateHash == state && uniformsHash == uniforms;
  const Hash128 key = isSame ? slot->key() : makeSlotKey(newProgram->bindHash, stateHash, uniformsHash);
  const BindRequest request = {newProgram, newState, newUniforms, key, {newProgram->user, stateUser}, options.fallback};
  if (isSame && slot->current.load(std::memory_order_acquire) == variant) {
    BindCounters::increment(counters.unchanged);
  } else if (findAndPin(key)) {
    BindCounters::increment(counters.known);
  } else {
    Result<const Variant *> built = bindMissing(request);
    if (!built)
      return built;
  }
  program = newProgram->bindHash;
  state = stateHash;
  uniforms = uniformsHash;
  if (slot && slot->countdown.load(std::memory_order_relaxed) && slot->countDown())
    core.background().requestOptimized(request, variant->shared_from_this());
  return variant;
}

// Not in the table, or not any more.
Result<const Variant *> Binder::Impl::bindMissing(const BindRequest &request) {
  FoundVariant found = DOVETAIL_TRY(core.findOrBuild(request));
  BindCounters::increment(found.isFallback ? counters.fallbacks : counters.others);
  if (found.waited)
    BindCounters::increment(counters.waited);
  // Meanwhile there may be a better one; or the slot was evicted again.
  if (found.isFallback || !findAndPin(request.slotKey))
    hold(std::move(found.variant));
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

VariantRef Binder::current() const {
  if (m_impl->held)
    return m_impl->held;
  return m_impl->variant ? m_impl->variant->shared_from_this() : nullptr;
}

BinderStatistics Binder::statistics() const {
  const BindCounters &counters = m_impl->counters;
  return {counters.unchanged, counters.known, counters.fallbacks, counters.others, counters.waited};
}

} // namespace dovetail

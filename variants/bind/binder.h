// SPDX-License-Identifier: MIT
//
// Binder: one thread's way to a device's variants; a driver has one for each context. It remembers what was bound last,
// so that a draw whose state did not change costs a compare, and it is how the device knows which memory no reader can
// be looking at any more (reader_epochs.h), so that looking a variant up takes no lock.
#pragma once

#include "parts/cache/part_tally.h"
#include "variants/bind/device.h"

namespace dovetail {

// What to do about variants that take a compiler.
struct BindOptions {
  // Served meanwhile if the state changes a main part's own code (variants/state/state_table.h), or if the bind never
  // compiles: the build goes to the background. nullptr: see neverCompiles.
  VariantRef fallback;
  // The bind makes what takes microseconds, and waits for no other thread and no store. If there is a main part still
  // to be had, or the program was never bound, it leaves the build to the background and returns the fallback, or else
  // an Error of ErrorCode::NotReady. DeviceOptions::onPublication tells when to bind again, as Device::generation()
  // does; but not where the background is full, as the Error's text says: one of the next 64 binds asks again.
  bool neverCompiles = false;
  // Of a build that goes to the background.
  JobPriority priority = JobPriority::Wanted;
};

// How many binds came by their variant in which way.
struct BinderStatistics {
  uint64_t unchanged = 0; // was bound last
  uint64_t known = 0;     // is in the table of binds
  uint64_t fallbacks = 0;
  uint64_t notReady = 0;
  uint64_t others = 0; // made now, or known by another state's name
  uint64_t waited = 0; // of these, for another thread that made it
};

enum class BindKind : uint8_t {
  None,      // nothing was bound yet, or the last bind failed
  Unchanged, // was bound last
  Known,     // is in the table of binds
  Found,     // a new state, which comes to a variant that was there
  Joined,    // a new variant of parts that were there
  Encoded,   // a new variant; parts were encoded for it, or read from the store
  Compiled,  // a new variant; the compiler made parts of it
  Fallback,
  NotReady, // there is none yet
};

// How a bind came by its variant.
struct BindInfo {
  BindKind kind = BindKind::None;
  bool waited = false; // for another thread, which was making the variant or a part
  PartTally parts;     // that were made or read for it
};

// Used by one thread at a time. Must go before its device.
class Binder {
public:
  explicit Binder(Device &device);
  ~Binder();
  Binder(const Binder &) = delete;
  Binder &operator=(const Binder &) = delete;

  // The variant to draw with: the optimised one from its publication on, before that the joined one. Its parts are made
  // the first time that any program needs them; never waits for an optimised build. The variant is valid until the
  // next bind(); current() keeps it longer. A call with what was bound last takes no lock, no hash and no
  // reference count; one with what was bound before takes no lock and no reference count. Programs and states are
  // told apart by their hashes, so equal ones that were made twice, with the same user, are the same.
  // Errors: those of buildVariant(), and NotReady; nothing changes then, current() included.
  Result<const Variant *> bind(const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms = {},
                               const BindOptions &options = {});

  // For callers without state objects: compares with the state of the last such bind, and hashes the state if it
  // differs.
  Result<const Variant *> bind(const ProgramRef &program, const PipelineState &state,
                               const UniformValuesRef &uniforms = {}, const BindOptions &options = {});

  // For a driver that knows what a draw is going to bind some time before it does: when a pipeline is set, or while it
  // goes through a list of draws. The memory that the look-up waits for is fetched meanwhile. Returns at once, takes no
  // lock, and changes nothing, whatever is bound then.
  void prefetch(const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms = {}) const;

  // What the last successful bind() returned; nullptr before the first. Takes a reference.
  VariantRef current() const;

  BinderStatistics statistics() const;
  // Of the last bind.
  BindInfo lastBind() const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace dovetail

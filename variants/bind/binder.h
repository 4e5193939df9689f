// SPDX-License-Identifier: MIT
//
// Binder: one thread's access to a device's variants; a driver has one for each context. It remembers the last bind, so
// a draw whose state did not change costs a compare. The device also learns from its Binders which memory a reader may
// still look at (reader_epochs.h), so looking a variant up takes no lock.
#pragma once

#include "parts/cache/part_tally.h"
#include "variants/bind/device.h"

namespace dovetail {

// How a bind treats variants that take a compiler.
struct BindOptions {
  // Returned meanwhile if the state changes a main part's own code (variants/state/state_table.h), or if the bind never
  // compiles; the build goes to the background. nullptr: see neverCompiles.
  VariantRef fallback;
  // The bind makes only what takes microseconds, and waits for no other thread and no store. If a main part is missing,
  // or the program was never bound, it leaves the build to the background. It returns the fallback, or else an Error of
  // ErrorCode::NotReady. DeviceOptions::onPublication tells when to bind again, and so does Device::generation(). There
  // is one exception: the background is full, as the Error's text says. Then one of the next 64 binds asks again.
  bool neverCompiles = false;
  // The priority of a build that goes to the background.
  JobPriority priority = JobPriority::Wanted;
};

// How many binds got their variant in which way.
struct BinderStatistics {
  uint64_t unchanged = 0; // it was bound last
  uint64_t known = 0;     // it was in the table of binds
  uint64_t fallbacks = 0;
  uint64_t notReady = 0;
  uint64_t others = 0; // it was made now, or found under another state
  uint64_t waited = 0; // of these, the binds that waited for another thread to make it
};

enum class BindKind : uint8_t {
  None,      // nothing was bound yet, or the last bind failed
  Unchanged, // it was bound last
  Known,     // it was in the table of binds
  Found,     // a new state that leads to an existing variant
  Joined,    // a new variant of existing parts
  Encoded,   // a new variant; parts were encoded for it, or read from the store
  Compiled,  // a new variant; the compiler made parts of it
  Fallback,
  NotReady, // there is no variant yet
};

// How a bind got its variant.
struct BindInfo {
  BindKind kind = BindKind::None;
  bool waited = false; // for another thread that made the variant or a part
  PartTally parts;     // parts that were made or read for it
};

// Used by one thread at a time. Must be destroyed before its device.
class Binder {
public:
  explicit Binder(Device &device);
  ~Binder();
  Binder(const Binder &) = delete;
  Binder &operator=(const Binder &) = delete;

  // Returns the variant to draw with: the joined one, and from its publication on the optimised one. Parts are made the
  // first time that any program needs them; bind() never waits for an optimised build.
  //
  // The variant is valid until the next bind(); current() keeps it longer. A repetition of the last bind takes no lock,
  // no hash and no reference count; a bind that was made before takes no lock and no reference count. Programs and
  // states are told apart by their hashes, so equal ones that were made twice, with the same user, are the same.
  //
  // Errors: those of buildVariant(), and NotReady. On an Error nothing changes, current() included.
  Result<const Variant *> bind(const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms = {},
                               const BindOptions &options = {});

  // For callers without state objects: compares the state with that of the last such bind, and hashes it if they
  // differ.
  Result<const Variant *> bind(const ProgramRef &program, const PipelineState &state,
                               const UniformValuesRef &uniforms = {}, const BindOptions &options = {});

  // For a driver that knows a bind some time before the draw: when a pipeline is set, or while it goes through a list
  // of draws. Starts to fetch the memory that the look-up will read. Returns at once, takes no lock, and changes
  // nothing; the driver may bind something else in the end.
  void prefetch(const ProgramRef &program, const StateRef &state, const UniformValuesRef &uniforms = {}) const;

  // The result of the last successful bind(); nullptr before the first. Takes a reference.
  VariantRef current() const;

  BinderStatistics statistics() const;
  // How the last bind got its variant.
  BindInfo lastBind() const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace dovetail

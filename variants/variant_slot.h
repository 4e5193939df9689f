// SPDX-License-Identifier: MIT
//
// VariantSlot: what is bound for one program, state and set of uniform values, now. The joined variant at first, the
// optimised one later; nothing while the first build is in the background, or once the slot was evicted.
#pragma once

#include "src/base/hash.h"
#include "variants/reader_epochs.h"
#include "variants/variant.h"
#include <atomic>

namespace dovetail {

// How far the background is with the variant that the slot has none of yet (Binder's fallbacks).
enum class SlotBuild : uint8_t { None, Queued, Failed };

// A cache line, of which binds read all that they need and write nothing in the long run.
struct alignas(CacheLineBytes) VariantSlot {
  explicit VariantSlot(const Hash128 &key) : key(key) {}

  const Hash128 key;
  // Valid for readers between enter() and leave(), or while they pin it (reader_epochs.h). Written by BindTable.
  std::atomic<const Variant *> current = nullptr;
  // Time of the last bind, by a clock that goes on with each variant that is made; so binds that find their variant
  // seldom write it.
  std::atomic<uint32_t> lastUse = 0;
  // After how many more binds the background is to be asked; 0: there is nothing to ask it for.
  std::atomic<uint32_t> countdown = 0;
  std::atomic<SlotBuild> build = SlotBuild::None;

  void touch(uint32_t now) {
    if (lastUse.load(std::memory_order_relaxed) != now)
      lastUse.store(now, std::memory_order_relaxed);
  }

  // Counts a bind. True for the one at which the background is to be asked.
  bool countDown() {
    if (countdown.load(std::memory_order_relaxed) == 0)
      return false;
    uint32_t before = countdown.load(std::memory_order_relaxed);
    while (before && !countdown.compare_exchange_weak(before, before - 1, std::memory_order_relaxed)) {
    }
    return before == 1;
  }

private:
  friend class BindTable;
  VariantRef owner; // keeps `current` in memory; under BindTable's lock
};

static_assert(sizeof(VariantSlot) == CacheLineBytes);

// The slot of a program, state and uniform values. All three are hashes already, so it takes no more than a step that
// tells them apart.
inline Hash128 makeSlotKey(const Hash128 &program, const Hash128 &state, const Hash128 &uniforms) {
  constexpr uint64_t A = 0x9e3779b97f4a7c15, B = 0xc2b2ae3d27d4eb4f; // odd, so that no bit is lost
  return {program.high + state.high * A + uniforms.high * B, program.low + state.low * A + uniforms.low * B};
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// VariantSlot: what is bound for one program, state and set of uniform values, now. The joined variant at first, the
// optimised one later; nothing while the first build is in the background.
//
// A slot is a cell of the bind table, so finding it and reading it is one cache miss. When the table moves it elsewhere
// or evicts it, nothing is left in the old place.
#pragma once

#include "src/base/hash.h"
#include "variants/variant.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace dovetail {

// How far the background is with the variant that the slot has none of yet (Binder's fallbacks).
enum class SlotBuild : uint8_t { None, Queued, Failed };

// Half a cache line, which binds read and, in the long run, do not write.
struct alignas(32) VariantSlot {
  // Never changes once it is there; 0 in keyLow: the cell is empty.
  std::atomic<uint64_t> keyLow = 0, keyHigh = 0;
  // Valid for readers between enter() and leave(), or while they pin it (reader_epochs.h). Written by BindTable.
  std::atomic<const Variant *> current = nullptr;
  // Time of the last bind, by a clock that goes on with each variant that is made; so binds that find their variant
  // seldom write it.
  std::atomic<uint32_t> lastUse = 0;
  // After how many more binds the background is to be asked; 0: there is nothing to ask it for.
  std::atomic<uint16_t> countdown = 0;
  std::atomic<SlotBuild> build = SlotBuild::None;

  Hash128 key() const { return {keyHigh.load(std::memory_order_relaxed), keyLow.load(std::memory_order_relaxed)}; }

  void touch(uint32_t now) {
    if (lastUse.load(std::memory_order_relaxed) != now)
      lastUse.store(now, std::memory_order_relaxed);
  }

  // Longer than the field can count is as long as it can.
  void setCountdown(uint32_t binds) {
    uint32_t most = std::numeric_limits<uint16_t>::max();
    countdown.store(uint16_t(std::min(binds, most)), std::memory_order_relaxed);
  }

  // Counts a bind. True for the one at which the background is to be asked.
  bool countDown() {
    uint16_t before = countdown.load(std::memory_order_relaxed);
    while (before && !countdown.compare_exchange_weak(before, uint16_t(before - 1), std::memory_order_relaxed)) {
    }
    return before == 1;
  }
};

static_assert(sizeof(VariantSlot) == 32);

// The slot of a program, state and uniform values. All three are hashes already, so it takes no more than a step that
// tells them apart.
inline Hash128 makeSlotKey(const Hash128 &program, const Hash128 &state, const Hash128 &uniforms) {
  constexpr uint64_t A = 0x9e3779b97f4a7c15, B = 0xc2b2ae3d27d4eb4f; // odd, so that no bit is lost
  uint64_t low = program.low + state.low * A + uniforms.low * B;
  return {program.high + state.high * A + uniforms.high * B, low ? low : 1};
}

} // namespace dovetail

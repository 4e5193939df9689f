// SPDX-License-Identifier: MIT
//
// VariantSlot: what is bound for one program, state and set of uniform values, now. The joined variant at first, the
// optimised one later; nothing while the first build is in the background.
//
// A slot is in two places of the bind table. What each bind reads is in a cell of 16 bytes, four of which are a cache
// line (bind_table.h): half of the key; BoundVariant, a word that has the variant; and the period of the last bind
// (use_periods.h). The slot itself has the rest. When the table moves a slot elsewhere or evicts it, no variant is left
// in the old cell.
#pragma once

#include "src/base/hash.h"
#include "variants/variant.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace dovetail {

// A word of a cell. Addresses in user space have 48 bits; the 16 above them are of the key, and the lowest one is used,
// too, because variants are aligned.
class BoundVariant {
public:
  static constexpr uint64_t Counts = 1; // the slot's countdown is running

  BoundVariant() = default;
  explicit BoundVariant(uint64_t bits) : m_bits(bits) {}
  // Of a slot with this key.
  BoundVariant(uint64_t keyHigh, const Variant *variant) : m_bits(tagOf(keyHigh) | addressOf(variant)) {}

  uint64_t bits() const { return m_bits; }
  // Valid for readers between enter() and leave(), or while they pin it (reader_epochs.h).
  const Variant *variant() const { return reinterpret_cast<const Variant *>(m_bits & AddressMask & ~Counts); }
  bool counts() const { return m_bits & Counts; }
  bool mayBe(uint64_t keyHigh) const { return m_bits >> AddressBits == tagOf(keyHigh) >> AddressBits; }
  BoundVariant with(const Variant *variant) const {
    return BoundVariant((m_bits & (~AddressMask | Counts)) | addressOf(variant));
  }

private:
  static constexpr unsigned AddressBits = 48;
  static constexpr uint64_t AddressMask = (uint64_t(1) << AddressBits) - 1;
  // The lowest, with which no search begins.
  static uint64_t tagOf(uint64_t keyHigh) { return keyHigh << AddressBits; }
  static uint64_t addressOf(const Variant *variant) { return reinterpret_cast<uint64_t>(variant); }
  static_assert(alignof(Variant) > Counts && sizeof(void *) == sizeof(uint64_t));

  uint64_t m_bits = 0;
};

// The bits of a BoundVariant.
using BoundCell = std::atomic<uint64_t>;
// The number of a period of UsePeriods, in which a cell was last bound.
using UsePeriod = std::atomic<uint16_t>;

inline void noteUse(UsePeriod &cell, uint16_t period) {
  if (cell.load(std::memory_order_relaxed) != period)
    cell.store(period, std::memory_order_relaxed);
}

struct VariantSlot {
  Hash128 key;
  VariantRef owner;          // what the cell points to
  BoundCell *cell = nullptr; // where binds find it
  UsePeriod *lastUse = nullptr;
  // After how many more binds the background is to be asked; 0: there is nothing to ask it for.
  std::atomic<uint16_t> countdown = 0;

  // Under the table's lock.
  const Variant *current() const { return owner.get(); }

  // Longer than the field can count is as long as it can.
  void setCountdown(uint32_t binds) {
    uint32_t most = std::numeric_limits<uint16_t>::max();
    countdown.store(uint16_t(std::min(binds, most)), std::memory_order_relaxed);
    if (binds)
      cell->fetch_or(BoundVariant::Counts, std::memory_order_release);
  }

  // Counts a bind. True for the one at which the background is to be asked.
  bool countDown() {
    uint16_t before = countdown.load(std::memory_order_relaxed);
    while (before && !countdown.compare_exchange_weak(before, uint16_t(before - 1), std::memory_order_relaxed)) {
    }
    if (before <= 1)
      stopCounting();
    return before == 1;
  }

private:
  // Binds need not look here any more, unless a new countdown has begun meanwhile.
  void stopCounting() {
    cell->fetch_and(~BoundVariant::Counts, std::memory_order_acq_rel);
    if (countdown.load(std::memory_order_relaxed))
      cell->fetch_or(BoundVariant::Counts, std::memory_order_relaxed);
  }
};

// The slot of a program, state and uniform values. All three are hashes already, so it takes no more than a step that
// tells them apart.
inline Hash128 makeSlotKey(const Hash128 &program, const Hash128 &state, const Hash128 &uniforms) {
  constexpr uint64_t A = 0x9e3779b97f4a7c15, B = 0xc2b2ae3d27d4eb4f; // odd, so that no bit is lost
  uint64_t low = program.low + state.low * A + uniforms.low * B;
  return {program.high + state.high * A + uniforms.high * B, low ? low : 1};
}

} // namespace dovetail

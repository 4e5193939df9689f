// SPDX-License-Identifier: MIT
//
// VariantSlot: the current variant for one program, state and set of uniform values. At first it is the joined variant,
// later the optimised one; there is none while the first build is in the background.
//
// A slot is in two places of the bind table. The data that each bind reads is in a cell of 16 bytes, four of which are
// a cache line (bind_table.h): half of the key; BoundVariant, a word with the variant; and the period of the last bind
// (use_periods.h). The slot itself has the rest. When the table moves or evicts a slot, the old cell loses its variant.
#pragma once

#include "src/base/hash.h"
#include "variants/variant.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace dovetail {

// A word of a cell. Addresses in user space have 48 bits. The 16 bits above them hold a part of the key. The lowest bit
// is used, too, because variants are aligned.
class BoundVariant {
public:
  static constexpr uint64_t Counts = 1; // the slot's countdown is running

  BoundVariant() = default;
  explicit BoundVariant(uint64_t bits) : m_bits(bits) {}
  // For a slot with this key.
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
  // The lowest bits of the key, which do not choose the line of a search.
  static uint64_t tagOf(uint64_t keyHigh) { return keyHigh << AddressBits; }
  static uint64_t addressOf(const Variant *variant) { return reinterpret_cast<uint64_t>(variant); }
  static_assert(alignof(Variant) > Counts && sizeof(void *) == sizeof(uint64_t));

  uint64_t m_bits = 0;
};

// The bits of a BoundVariant.
using BoundCell = std::atomic<uint64_t>;
// The number of the period of UsePeriods in which a cell was last bound.
using UsePeriod = std::atomic<uint16_t>;

inline void noteUse(UsePeriod &cell, uint16_t period) {
  if (cell.load(std::memory_order_relaxed) != period)
    cell.store(period, std::memory_order_relaxed);
}

struct VariantSlot {
  Hash128 key;
  VariantRef owner;          // the variant that the cell points to
  BoundCell *cell = nullptr; // the cell where binds find it
  UsePeriod *lastUse = nullptr;
  // The number of further binds after which the background is asked; 0: it is not asked.
  std::atomic<uint16_t> countdown = 0;

  // To be called under the table's lock.
  const Variant *current() const { return owner.get(); }

  // A value that is too large for the field counts as the largest one.
  void setCountdown(uint32_t binds) {
    uint32_t most = std::numeric_limits<uint16_t>::max();
    countdown.store(uint16_t(std::min(binds, most)), std::memory_order_relaxed);
    if (binds)
      cell->fetch_or(BoundVariant::Counts, std::memory_order_release);
  }

  // Counts a bind. Returns true for the bind at which the background is to be asked.
  bool countDown() {
    uint16_t before = countdown.load(std::memory_order_relaxed);
    while (before && !countdown.compare_exchange_weak(before, uint16_t(before - 1), std::memory_order_relaxed)) {
    }
    if (before <= 1)
      stopCounting();
    return before == 1;
  }

private:
  // Lets binds skip the slot, unless a new countdown has begun meanwhile.
  void stopCounting() {
    cell->fetch_and(~BoundVariant::Counts, std::memory_order_acq_rel);
    if (countdown.load(std::memory_order_relaxed))
      cell->fetch_or(BoundVariant::Counts, std::memory_order_relaxed);
  }
};

// The key of the slot of a program, state and uniform values. All three are hashes already, so one step that tells them
// apart is enough.
inline Hash128 makeSlotKey(const Hash128 &program, const Hash128 &state, const Hash128 &uniforms) {
  constexpr uint64_t A = 0x9e3779b97f4a7c15, B = 0xc2b2ae3d27d4eb4f; // odd, so that no bit is lost
  uint64_t low = program.low + state.low * A + uniforms.low * B;
  return {program.high + state.high * A + uniforms.high * B, low ? low : 1};
}

} // namespace dovetail

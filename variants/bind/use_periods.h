// SPDX-License-Identifier: MIT
//
// The clock of what is used least. It goes on with the variants that are made, in periods of about a 512th of those
// thatthere are: so a bind that finds its variant seldom has to note when that was, and then writes where it has just
// read (variant_slot.h). Up to 512 variants, each begins a period.
#pragma once

#include "variants/bind/variant_slot.h"
#include <array>
#include <atomic>
#include <cstdint>

namespace dovetail {

// Thread-safe.
class UsePeriods {
public:
  // The one that runs.
  uint16_t current() const { return m_current.load(std::memory_order_relaxed); }

  // To be called when a variant was made. `made`: how many were made so far; `held`: how many there are.
  void advance(uint32_t made, uint64_t held) {
    constexpr uint64_t Parts = 512;
    uint32_t next = m_next.load(std::memory_order_relaxed);
    if (int32_t(made - next) < 0 || !m_next.compare_exchange_strong(next, made + 1 + uint32_t(held / Parts)))
      return;
    const uint16_t period = (m_current.load(std::memory_order_relaxed) + 1) % Count;
    m_begins[period].store(made, std::memory_order_relaxed);
    m_current.store(period, std::memory_order_relaxed);
  }

  // How many variants had been made when a period began, of those that are not long ago.
  uint32_t beginOf(uint16_t period) const { return m_begins[period].load(std::memory_order_relaxed); }

private:
  static constexpr uint16_t Count = 4096; // then the numbers begin again

  std::atomic<uint16_t> m_current = 0;
  std::atomic<uint32_t> m_next = 0; // begins when so many are made
  std::array<std::atomic<uint32_t>, Count> m_begins = {};
};

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The clock for the least recently used variants. It advances with the variants that are made, in periods of about a
// 512th of the existing ones. So a bind that finds its variant seldom has to note the time, and then it writes to a
// line that it has just read (variant_slot.h). With up to 512 variants, each new variant begins a period.
#pragma once

#include "variants/bind/variant_slot.h"
#include <array>
#include <atomic>
#include <cstdint>

namespace dovetail {

// Thread-safe.
class UsePeriods {
public:
  // The current period.
  uint16_t current() const { return m_current.load(std::memory_order_relaxed); }

  // To be called after a variant was made. `made`: the number made so far; `held`: the number that exists now.
  void advance(uint32_t made, uint64_t held) {
    constexpr uint64_t Parts = 512;
    uint32_t next = m_next.load(std::memory_order_relaxed);
    if (int32_t(made - next) < 0 || !m_next.compare_exchange_strong(next, made + 1 + uint32_t(held / Parts)))
      return;
    const uint16_t period = (m_current.load(std::memory_order_relaxed) + 1) % Count;
    m_begins[period].store(made, std::memory_order_relaxed);
    m_current.store(period, std::memory_order_relaxed);
  }

  // The number of variants that had been made when a period began. Only for recent periods.
  uint32_t beginOf(uint16_t period) const { return m_begins[period].load(std::memory_order_relaxed); }

private:
  static constexpr uint16_t Count = 4096; // then the numbers begin again

  std::atomic<uint16_t> m_current = 0;
  std::atomic<uint32_t> m_next = 0; // the next period begins when this many are made
  std::array<std::atomic<uint32_t>, Count> m_begins = {};
};

} // namespace dovetail

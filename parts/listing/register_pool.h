// SPDX-License-Identifier: MIT
//
// The registers of a bank that are taken while a listing is encoded.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace dovetail {

class RegisterPool {
public:
  // The most registers that a listing can use.
  static constexpr unsigned MaxCount = 256;

  explicit RegisterPool(unsigned count) : m_count(count) {}

  bool isFree(unsigned first, unsigned count) const {
    return first + count <= m_count && nextTaken(first) >= first + count;
  }
  void take(unsigned first, unsigned count) {
    for (unsigned i = first; i != first + count; ++i)
      m_taken[i / 64] |= bit(i);
  }
  void free(unsigned first, unsigned count) {
    for (unsigned i = first; i != first + count; ++i)
      m_taken[i / 64] &= ~bit(i);
  }

  // Takes the lowest run of free registers that begins at a multiple of `alignment` and that `mayTake(first)` allows.
  template <typename Predicate>
  std::optional<unsigned> find(unsigned count, unsigned alignment, const Predicate &mayTake) {
    for (unsigned first = nextFree(0); first + count <= m_count; first = nextFree(first + 1)) {
      first = (first + alignment - 1) / alignment * alignment;
      if (isFree(first, count) && mayTake(first)) {
        take(first, count);
        return first;
      }
    }
    return std::nullopt;
  }

private:
  static uint64_t bit(unsigned reg) { return uint64_t(1) << reg % 64; }
  // The first free register from `reg` on; MaxCount if there is none.
  unsigned nextFree(unsigned reg) const { return next(reg, ~uint64_t(0)); }
  unsigned nextTaken(unsigned reg) const { return next(reg, 0); }
  // The first register whose bit differs from those of `skipped`.
  unsigned next(unsigned reg, uint64_t skipped) const {
    for (; reg < MaxCount; reg = reg / 64 * 64 + 64)
      if (const uint64_t others = (m_taken[reg / 64] ^ skipped) >> reg % 64)
        return reg + unsigned(std::countr_zero(others));
    return MaxCount;
  }

  unsigned m_count;
  std::array<uint64_t, MaxCount / 64> m_taken = {};
};

} // namespace dovetail

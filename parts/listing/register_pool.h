// SPDX-License-Identifier: MIT
//
// Which registers of a bank are taken while a listing is encoded.
#pragma once

#include <bitset>
#include <optional>

namespace dovetail {

class RegisterPool {
public:
  // A listing has no more registers than that.
  static constexpr unsigned MaxCount = 256;

  explicit RegisterPool(unsigned count) : m_count(count) {}

  bool isFree(unsigned first, unsigned count) const {
    for (unsigned i = first; i != first + count; ++i)
      if (m_taken[i])
        return false;
    return first + count <= m_count;
  }
  void take(unsigned first, unsigned count) {
    for (unsigned i = first; i != first + count; ++i)
      m_taken.set(i);
  }
  void free(unsigned first, unsigned count) {
    for (unsigned i = first; i != first + count; ++i)
      m_taken.reset(i);
  }

  // Takes the lowest run of free registers that begins at a multiple of `alignment` and that `mayTake(first)` allows.
  template <typename Predicate>
  std::optional<unsigned> find(unsigned count, unsigned alignment, const Predicate &mayTake) {
    for (unsigned first = 0; first + count <= m_count; first += alignment)
      if (isFree(first, count) && mayTake(first)) {
        take(first, count);
        return first;
      }
    return std::nullopt;
  }

private:
  unsigned m_count;
  std::bitset<MaxCount> m_taken;
};

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// KnownStates: a cache of the states that were found last, by pipeline and values of its dynamic states. A set fills
// one cache line, so a draw waits for one line.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

struct dovetail_state;

namespace dovetail::layer {

class KnownStates {
public:
  // nullptr: unknown, or dropped since.
  const dovetail_state *find(uint64_t key) const {
    for (const KnownState &known : setOf(key))
      if (known.key == key && known.state)
        return known.state;
    return nullptr;
  }
  // Drops the oldest entry of the key's set.
  void add(uint64_t key, const dovetail_state *state) {
    Set &set = m_sets[key % SetCount].states;
    std::shift_right(set.begin(), set.end(), 1);
    set[0] = {key, state};
  }

  static constexpr size_t SetCount = 128, SetSize = 4;

private:
  struct KnownState {
    uint64_t key = 0;
    const dovetail_state *state = nullptr;
  };
  using Set = std::array<KnownState, SetSize>;
  struct alignas(64) Line {
    Set states;
  };

  const Set &setOf(uint64_t key) const { return m_sets[key % SetCount].states; }

  std::array<Line, SetCount> m_sets;
};

} // namespace dovetail::layer

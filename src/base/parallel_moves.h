// SPDX-License-Identifier: MIT
//
// Many places change contents at once: every value must be read before its place is overwritten.
#pragma once

#include <algorithm>

namespace dovetail {

// Moves (a vector of `destination`, `source`, and what else there is) that have the same effect one after the other as
// the given ones at once, which are used up. Destinations are distinct. Moves whose destination nobody reads any more
// go first, in the given order; where all that are left wait for each other, a destination's content is set aside, in a
// place that `takeAside()` gives.
template <typename Moves, typename TakeAside> Moves oneByOne(Moves &pending, const TakeAside &takeAside) {
  using Move = typename Moves::value_type;
  Moves ordered;
  ordered.reserve(pending.size() + 2);
  auto isReadByOthers = [&](const Move &move) {
    return std::ranges::any_of(pending,
                               [&](const Move &other) { return &other != &move && other.source == move.destination; });
  };
  while (!pending.empty()) {
    auto ready = std::ranges::find_if_not(pending, isReadByOthers);
    if (ready == pending.end()) {
      ready = pending.begin();
      const auto saved = ready->destination, aside = takeAside();
      ordered.push_back({aside, saved});
      for (Move &move : pending)
        if (move.source == saved)
          move.source = aside;
    }
    ordered.push_back(*ready);
    pending.erase(ready);
  }
  return ordered;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// When many places change contents at once, every value must be read before its place is overwritten. oneByOne() finds
// single moves that do this.
#pragma once

#include <algorithm>

namespace dovetail {

// Returns moves that, one after the other, have the effect of all `pending` moves at once; uses `pending` up. A move is
// a struct that begins with `destination` and `source`. Destinations are distinct. A move whose destination no other
// pending move reads goes first, in the given order. Where all pending moves wait for each other, the content of one
// destination is set aside, in a place that `takeAside()` gives.
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

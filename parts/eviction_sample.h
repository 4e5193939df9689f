// SPDX-License-Identifier: MIT
//
// Who evicts does not look at all that there is, because a thread that draws may be the one that does it, but at the
// shards of a table in turn, until it has seen enough to tell what is old from what is not. A table of which a sample
// is all is evicted from exactly by age.
#pragma once

#include <cstddef>

namespace dovetail {

constexpr size_t EvictionSample = 256;

// Calls visit(shard), which returns how many entries were seen so far, for shards from `hand` on, until these are
// enough or all shards were visited. Moves the hand on. Returns how many shards were visited.
template <typename Visit> size_t visitSample(size_t &hand, size_t shardCount, const Visit &visit) {
  for (size_t visited = 1;; ++visited) {
    const size_t seen = visit(hand);
    hand = (hand + 1) % shardCount;
    if (seen >= EvictionSample || visited == shardCount)
      return visited;
  }
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Who evicts does not look at all that there is, because a thread that draws may be the one that does it, but at pieces
// of a table in turn, until it has seen enough to tell what is old from what is not. A table of which a sample is all
// is evicted from exactly by age.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace dovetail {

constexpr size_t EvictionSample = 256; // entries

// One of `count` pieces of equal length that a shard of a table is cut into. What the length is of, the table knows:
// cells or buckets, which there are more of than entries.
struct TablePiece {
  size_t shard = 0;
  size_t index = 0, count = 1;

  size_t begin(size_t length) const { return length * index / count; }
  size_t end(size_t length) const { return length * (index + 1) / count; }
};

// Goes round a table, however that grows and shrinks meanwhile.
class EvictionHand {
public:
  // Calls visit(piece), which returns how many entries were seen so far, for pieces from the hand on, until these are
  // enough or all was visited, and moves the hand on. `entries`: about how many the table has; a piece is then about
  // half a sample at most. Returns how much of the table was visited, 1: all.
  template <typename Visit> double sample(size_t shardCount, size_t entries, const Visit &visit) {
    const size_t perShard = std::bit_ceil(std::max<size_t>(1, 2 * entries / (shardCount * EvictionSample)));
    const uint64_t pieces = shardCount * perShard;
    uint64_t at = m_place * pieces >> 32;
    uint64_t visited = 0;
    for (size_t seen = 0; seen < EvictionSample && visited < pieces; ++visited, at = (at + 1) % pieces)
      seen = visit(TablePiece{at / perShard, at % perShard, perShard});
    m_place = ((at << 32) + pieces - 1) / pieces;
    return double(visited) / double(pieces);
  }

private:
  uint64_t m_place = 0; // a 32-bit fraction of the table
};

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// A thread that draws may be the one that evicts, so it must not look at a whole table. It looks at pieces of the table
// in turn, until it has seen enough entries to tell old ones from new ones. If the sample is the whole table, eviction
// is exactly by age.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace dovetail {

constexpr size_t EvictionSample = 256; // entries

// One of `count` pieces of equal length into which a shard of a table is cut. The table decides what the length counts:
// cells or buckets, of which there are more than entries.
struct TablePiece {
  size_t shard = 0;
  size_t index = 0, count = 1;

  size_t begin(size_t length) const { return length * index / count; }
  size_t end(size_t length) const { return length * (index + 1) / count; }
};

// Goes round a table, even if the table grows and shrinks meanwhile.
class EvictionHand {
public:
  // Calls visit(piece) for pieces from the hand on, and moves the hand on. visit returns how many entries it has seen
  // so far. Stops when these are enough or the whole table was visited. `entries`: about how many the table has; a
  // piece is then about half a sample at most. Returns the share of the table that was visited, 1: all.
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

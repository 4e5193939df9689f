// SPDX-License-Identifier: MIT
//
// Prologs and epilogs by what main parts need of them and by what a piece of a state says. What was found once is found
// again by these two hashes, for all programs whose main parts need the same: no state is made canonical for it, and no
// key is made.
#pragma once

#include "parts/cache/flat_table.h"
#include "parts/part.h"
#include <array>
#include <mutex>
#include <optional>

namespace dovetail {

// What a piece of a state is for main parts that need the same.
struct KnownPiece {
  Hash128 canonical; // hash of the piece when it is canonical
  PartRef part;      // nullptr: they need none
};

// Thread-safe. Holds some thousands; when there are more, it forgets many at once, which are then found by their keys.
class KnownPieces {
public:
  std::optional<KnownPiece> find(const Hash128 &needs, const Hash128 &given) const;
  void add(const Hash128 &needs, const Hash128 &given, const KnownPiece &piece);
  // So that no part is kept for having been found here.
  void clear() noexcept;

private:
  static constexpr size_t ShardCount = 64, MaxPerShard = 128;
  struct Shard {
    std::mutex mutex;
    FlatTable<Hash128, KnownPiece> pieces;
  };

  // Both are hashes already, so it takes no more than a step that tells them apart.
  static Hash128 keyOf(const Hash128 &needs, const Hash128 &given) {
    constexpr uint64_t A = 0x9e3779b97f4a7c15; // odd, so that no bit is lost
    return {needs.high + given.high * A, needs.low + given.low * A};
  }
  Shard &shardOf(const Hash128 &key) const { return m_shards[key.high % ShardCount]; }

  mutable std::array<Shard, ShardCount> m_shards;
};

} // namespace dovetail

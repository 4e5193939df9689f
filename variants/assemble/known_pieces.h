// SPDX-License-Identifier: MIT
//
// Finds prologs and epilogs by two hashes: of the main parts' needs, and of a piece of a state. A part that was found
// once is found again for all programs whose main parts have the same needs. No state is made canonical for that, and
// no key is made.
#pragma once

#include "parts/cache/flat_table.h"
#include "parts/part.h"
#include <array>
#include <mutex>
#include <optional>

namespace dovetail {

// The result of a piece of a state, for main parts with the same needs.
struct KnownPiece {
  Hash128 canonical; // hash of the piece when it is canonical
  PartRef part;      // nullptr: they need none
};

// Thread-safe. Holds some thousands; when there are more, it forgets many at once. Forgotten parts are found by their
// keys.
class KnownPieces {
public:
  std::optional<KnownPiece> find(const Hash128 &needs, const Hash128 &given) const;
  void add(const Hash128 &needs, const Hash128 &given, const KnownPiece &piece);
  // Forgets all, so that no part is kept alive from here.
  void clear() noexcept;

private:
  static constexpr size_t ShardCount = 64, MaxPerShard = 128;
  struct Shard {
    std::mutex mutex;
    FlatTable<Hash128, KnownPiece> pieces;
  };

  // Both are hashes already, so one step that tells them apart is enough.
  static Hash128 keyOf(const Hash128 &needs, const Hash128 &given) {
    constexpr uint64_t A = 0x9e3779b97f4a7c15; // odd, so that no bit is lost
    return {needs.high + given.high * A, needs.low + given.low * A};
  }
  Shard &shardOf(const Hash128 &key) const { return m_shards[key.high % ShardCount]; }

  mutable std::array<Shard, ShardCount> m_shards;
};

} // namespace dovetail

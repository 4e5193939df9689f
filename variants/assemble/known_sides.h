// SPDX-License-Identifier: MIT
//
// Variants by the sides of which they are made: what lies in front of the rasteriser, with the vertex input that it was
// joined for, and the pixel shader with its colour output. A state that brings together two sides which were joined
// before, each in a variant with another one, takes no join: its image is combined from theirs (merge/combine.h).
#pragma once

#include "parts/cache/flat_table.h"
#include "variants/state/canonicalize.h"
#include "variants/variant.h"
#include <array>
#include <mutex>
#include <optional>

namespace dovetail {

// Thread-safe. Knows variants by their keys, so that it keeps none: one that was evicted is missed when it is looked
// up. Holds a few for each variant that there is; when there are more, it forgets many at once.
class KnownSides {
public:
  struct Found {
    StateHashes canonical;   // of the state that was looked up
    VariantKey front, pixel; // joined under states with its vertex input and with its colour output
  };
  // Nothing unless both sides are known. `program`: Program::hash. `given`: of a state as it is given.
  std::optional<Found> find(const Hash128 &program, const StateHashes &given) const;

  // `joined`: with a pixel shader and without a monolithic part. `variants`: how many there are now.
  void add(const Hash128 &program, const StateHashes &given, const StateHashes &canonical, const VariantKey &joined,
           uint64_t variants);

private:
  // A variant has two, of which not all are new.
  static constexpr size_t ShardCount = 256, AtLeastPerShard = 128, PerVariant = 4;
  struct Side {
    Hash128 piece, rest; // canonical
    VariantKey variant;
  };
  struct Shard {
    std::mutex mutex;
    FlatTable<Hash128, Side> sides;
  };

  std::optional<Side> findSide(const Hash128 &key) const;
  void addSide(const Hash128 &key, const Side &side, size_t maxPerShard);

  Shard &shardOf(const Hash128 &key) const { return m_shards[key.high % ShardCount]; }

  mutable std::array<Shard, ShardCount> m_shards;
};

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Finds variants by their sides. One side is everything in front of the rasteriser, with the vertex input that it was
// joined for. The other side is the pixel shader with its colour output. If a state needs two sides that were joined
// before in different variants, nothing is joined: its image is combined from the images of those variants
// (merge/combine.cpp).
#pragma once

#include "parts/cache/flat_table.h"
#include "variants/state/canonicalize.h"
#include "variants/variant.h"
#include <array>
#include <mutex>
#include <optional>

namespace dovetail {

// Thread-safe. Refers to variants by key, so it does not keep them alive; an evicted variant is missing when it is
// looked up. Holds a few sides for each existing variant; when there are more, it forgets many at once.
class KnownSides {
public:
  struct Found {
    StateHashes canonical;   // of the state that was looked up
    VariantKey front, pixel; // variants joined under states with its vertex input, and with its colour output
  };
  // Nothing unless both sides are known. `program`: Program::hash. `given`: the hashes of a state as it is given.
  std::optional<Found> find(const Hash128 &program, const StateHashes &given) const;

  // `joined`: has a pixel shader and no monolithic part. `variants`: how many there are now.
  void add(const Hash128 &program, const StateHashes &given, const StateHashes &canonical, const VariantKey &joined,
           uint64_t variants);

private:
  // Each variant has two sides, but not all of them are new.
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

// SPDX-License-Identifier: MIT
//
// Images by the sides of which they are made: what lies in front of the rasteriser, with the vertex input that it was
// joined for, and the pixel shader with its colour output. A state that brings together two sides which were joined
// before, each in an image with another one, takes no join: its image is combined from those two (merge/combine.h).
#pragma once

#include "merge/image.h"
#include "parts/cache/flat_table.h"
#include "variants/build/canonicalize.h"
#include <array>
#include <memory>
#include <mutex>
#include <optional>

namespace dovetail {

// Thread-safe. Refers to images weakly: of one that goes, only the object's own memory stays until it is forgotten.
// Holds some ten thousands; when there are more, it forgets many at once.
class KnownSides {
public:
  struct Found {
    StateHashes canonical; // of the state that was looked up
    ImageRef front, pixel; // joined under states with its vertex input and with its colour output
  };
  // Nothing unless both sides are known. `program`: Program::hash. `given`: of a state as it is given.
  std::optional<Found> find(const Hash128 &program, const StateHashes &given) const;

  // `image`: joined, with a pixel shader and without a monolithic part.
  void add(const Hash128 &program, const StateHashes &given, const StateHashes &canonical, const ImageRef &image);

private:
  static constexpr size_t ShardCount = 256, MaxPerShard = 128;
  struct Side {
    Hash128 piece, rest; // canonical
    std::weak_ptr<const Image> image;
  };
  struct FoundSide {
    Hash128 piece, rest;
    ImageRef image;
  };
  struct Shard {
    std::mutex mutex;
    FlatTable<Hash128, Side> sides;
  };

  FoundSide findSide(const Hash128 &key) const;
  void addSide(const Hash128 &key, Side side);

  mutable std::array<Shard, ShardCount> m_shards;
};

} // namespace dovetail

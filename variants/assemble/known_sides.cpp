// SPDX-License-Identifier: MIT
#include "variants/assemble/known_sides.h"
#include <utility>

namespace dovetail {

namespace {

// All are hashes already, so one step that tells them apart is enough; odd factors lose no bit.
constexpr uint64_t ForRest = 0x9e3779b97f4a7c15, ForFront = 0xc2b2ae3d27d4eb4f, ForPixel = 0x165667b19e3779f9;

Hash128 keyOf(const Hash128 &program, const Hash128 &rest, const Hash128 &piece, uint64_t factor) {
  return {program.high + rest.high * ForRest + piece.high * factor,
          program.low + rest.low * ForRest + piece.low * factor};
}

} // namespace

std::optional<KnownSides::Side> KnownSides::findSide(const Hash128 &key) const {
  Shard &shard = shardOf(key);
  std::scoped_lock lock(shard.mutex);
  const Side *side = shard.sides.find(key);
  return side ? std::optional(*side) : std::nullopt;
}

std::optional<KnownSides::Found> KnownSides::find(const Hash128 &program, const StateHashes &given) const {
  const std::optional<Side> front = findSide(keyOf(program, given.rest, given.vertexInput, ForFront));
  if (!front)
    return std::nullopt;
  const std::optional<Side> pixel = findSide(keyOf(program, given.rest, given.colorOutput, ForPixel));
  if (!pixel)
    return std::nullopt;
  return Found{{front->piece, pixel->piece, front->rest}, front->variant, pixel->variant};
}

void KnownSides::addSide(const Hash128 &key, const Side &side, size_t maxPerShard) {
  Shard &shard = shardOf(key);
  FlatTable<Hash128, Side> forgotten; // destroyed without the lock
  std::scoped_lock lock(shard.mutex);
  Side *known = shard.sides.find(key);
  if (!known && shard.sides.size() >= maxPerShard)
    forgotten = std::move(shard.sides);
  (known ? *known : shard.sides.insert(key)) = side;
}

void KnownSides::add(const Hash128 &program, const StateHashes &given, const StateHashes &canonical,
                     const VariantKey &joined, uint64_t variants) {
  const size_t maxPerShard = AtLeastPerShard + PerVariant * variants / ShardCount;
  addSide(keyOf(program, given.rest, given.vertexInput, ForFront), {canonical.vertexInput, canonical.rest, joined},
          maxPerShard);
  addSide(keyOf(program, given.rest, given.colorOutput, ForPixel), {canonical.colorOutput, canonical.rest, joined},
          maxPerShard);
}

} // namespace dovetail

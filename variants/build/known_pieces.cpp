// SPDX-License-Identifier: MIT
#include "variants/build/known_pieces.h"

namespace dovetail {

std::optional<KnownPiece> KnownPieces::find(const Hash128 &needs, const Hash128 &given) const {
  const Hash128 key = keyOf(needs, given);
  Shard &shard = shardOf(key);
  std::scoped_lock lock(shard.mutex);
  auto place = shard.pieces.find(key);
  if (place == shard.pieces.end())
    return std::nullopt;
  return place->second;
}

void KnownPieces::add(const Hash128 &needs, const Hash128 &given, const KnownPiece &piece) {
  const Hash128 key = keyOf(needs, given);
  Shard &shard = shardOf(key);
  std::unordered_map<Hash128, KnownPiece> forgotten; // destroyed without the lock
  std::scoped_lock lock(shard.mutex);
  if (shard.pieces.size() >= MaxPerShard)
    forgotten.swap(shard.pieces);
  shard.pieces.insert_or_assign(key, piece);
}

void KnownPieces::clear() noexcept {
  for (Shard &shard : m_shards) {
    std::scoped_lock lock(shard.mutex);
    shard.pieces.clear();
  }
}

} // namespace dovetail

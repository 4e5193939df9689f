// SPDX-License-Identifier: MIT
#include "variants/assemble/known_pieces.h"

namespace dovetail {

std::optional<KnownPiece> KnownPieces::find(const Hash128 &needs, const Hash128 &given) const {
  const Hash128 key = keyOf(needs, given);
  Shard &shard = shardOf(key);
  std::scoped_lock lock(shard.mutex);
  const KnownPiece *piece = shard.pieces.find(key);
  return piece ? std::optional(*piece) : std::nullopt;
}

void KnownPieces::add(const Hash128 &needs, const Hash128 &given, const KnownPiece &piece) {
  const Hash128 key = keyOf(needs, given);
  Shard &shard = shardOf(key);
  FlatTable<Hash128, KnownPiece> forgotten; // destroyed without the lock
  std::scoped_lock lock(shard.mutex);
  KnownPiece *known = shard.pieces.find(key);
  if (!known && shard.pieces.size() >= MaxPerShard)
    forgotten = std::move(shard.pieces);
  (known ? *known : shard.pieces.insert(key)) = piece;
}

void KnownPieces::clear() noexcept {
  for (Shard &shard : m_shards) {
    std::scoped_lock lock(shard.mutex);
    shard.pieces = {};
  }
}

} // namespace dovetail

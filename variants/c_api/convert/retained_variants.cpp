// SPDX-License-Identifier: MIT
//
// A variant's handle is a plain pointer, so a table counts how often it is retained. The table has several pieces, so
// that threads seldom meet at one.
#include "variants/c_api/convert/retained_variants.h"
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

namespace dovetail::c_api {

namespace {

struct Retained {
  VariantRef variant;
  uint64_t count = 0;
};

struct alignas(64) Piece {
  std::mutex mutex;
  std::map<const Variant *, Retained> variants; // empty, it has no memory: none is left when the library goes
};

constexpr size_t PieceCount = 16;
using Pieces = std::array<Piece, PieceCount>;

Piece &pieceOf(const Variant *variant) {
  // Never destroyed: other threads may release variants while the process exits.
  alignas(Pieces) static std::byte memory[sizeof(Pieces)];
  static Pieces &pieces = *new (memory) Pieces;
  const auto address = reinterpret_cast<uintptr_t>(variant);
  return pieces[(address / 64 ^ address / 4096) % PieceCount];
}

} // namespace

void retainVariant(VariantRef variant) {
  const Variant *key = variant.get();
  Piece &piece = pieceOf(key);
  std::lock_guard lock(piece.mutex);
  Retained &retained = piece.variants[key];
  retained.variant = std::move(variant);
  ++retained.count;
}

void releaseVariant(const Variant *variant) noexcept {
  VariantRef last; // destroyed after the lock is released
  Piece &piece = pieceOf(variant);
  std::lock_guard lock(piece.mutex);
  auto found = piece.variants.find(variant);
  assert(found != piece.variants.end() && "a variant is released more often than retained");
  if (found == piece.variants.end() || --found->second.count > 0)
    return;
  last = std::move(found->second.variant);
  piece.variants.erase(found);
}

} // namespace dovetail::c_api

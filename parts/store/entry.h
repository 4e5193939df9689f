// SPDX-License-Identifier: MIT
//
// What the part store keeps in its database: for each part a value with the part itself, and its usage apart from it,
// because usage changes, and so that looking for what to evict, or listing what is there, reads no part.
//
//   value   u32 magic, u32 format version, 128-bit checksum of the key, the version and the part, then the part
//           (part_bytes.h)
//
// Rows are found by 64 bits of the key, so that one tree is walked. Of two keys that share these, the later one finds
// the checksum wrong; in a store of a million parts that happens once in 40 million stores.
#pragma once

#include "parts/part.h"
#include "parts/store/distinct_count.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::store {

using Bytes = std::span<const uint8_t>;

constexpr int64_t rowOf(const PartKey &key) {
  return int64_t(key.hash.low ^ uint64_t(key.kind) << 56);
}
constexpr PartKey keyOf(int64_t row, PartKind kind, uint64_t hashHigh) {
  return {kind, {hashHigh, uint64_t(row) ^ uint64_t(kind) << 56}};
}

void encodeEntry(const Part &part, std::vector<uint8_t> &value);
// Errors: InvalidInput, naming the key and saying whether it is damaged or of another format.
Result<Part> decodeEntry(const PartKey &key, Bytes value);

// What was done with a part in the last while.
struct Use {
  uint64_t hits = 0;
  int64_t lastUsed = 0;   // microseconds since 1970; 0: it was not looked up
  DistinctCount variants; // that use it
};

int64_t microsecondsSince1970();

} // namespace dovetail::store

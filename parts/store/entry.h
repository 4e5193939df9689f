// SPDX-License-Identifier: MIT
//
// The rows that the part store keeps in its database. For each part there is a value with the part itself. Its usage is
// a row of its own, because usage changes, and because listing the entries then reads no part.
//
//   value   128-bit checksum of the format's version, the key and the part, then the part (parts/part_bytes.h)
//
// Rows are found by 64 bits of the key, so that one tree is walked. If two keys share these bits, the later one finds a
// wrong checksum. In a store of a million parts that happens once in 40 million stores.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include "src/spirv/validate/valid_modules.h"
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::store {

using Bytes = std::span<const uint8_t>;

// The modules that validators have accepted are in a table of their own, under these names. Builds differ in what they
// accept.
spirv::ModuleDigest rowOf(const spirv::ModuleDigest &module);

constexpr int64_t rowOf(const PartKey &key) {
  return int64_t(key.hash.low ^ uint64_t(key.kind) << 56);
}
constexpr PartKey keyOf(int64_t row, PartKind kind, uint64_t hashHigh) {
  return {kind, {hashHigh, uint64_t(row) ^ uint64_t(kind) << 56}};
}

std::vector<uint8_t> encodeEntry(const Part &part);
bool hasGoodChecksum(const PartKey &key, Bytes value);
// Errors: InvalidInput, naming the key, if the value is damaged or of another format.
Result<Part> decodeEntry(const PartKey &key, Bytes value);

// About how many different variants use a part: linear counting (Whang, Vander-Zanden, Taylor, 1990). Each variant sets
// the bit that its hash chooses. The number of clear bits tells how many variants there were: a few exactly, thousands
// to about 6 %, and 7,098 at most.
struct VariantCount {
  std::bitset<1024> bits;

  VariantCount() = default;
  explicit VariantCount(Bytes bytes); // the bytes that bytes() returned; bytes of another length count as none
  Bytes bytes() const { return {reinterpret_cast<const uint8_t *>(&bits), sizeof(bits)}; }
  void add(const Hash128 &variant) { bits.set(variant.low % bits.size()); }
  uint64_t estimate() const;
};

} // namespace dovetail::store

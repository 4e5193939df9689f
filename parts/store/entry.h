// SPDX-License-Identifier: MIT
//
// What the part store keeps in its database. Two records for each part, in two runs of keys:
//
//   key    u8 table, u8 PartKind, u64 hash high, u64 hash low (big-endian, so that they sort as PartKey does)
//   Table::Parts    u32 magic, u32 format version, 128-bit checksum of key and all else, u64 time when it was made,
//                   u32 bytes of the part, u32 0, then the part (part_bytes.h)
//   Table::Usage    u32 bytes of the record in Table::Parts, u32 0, u64 hits, u64 time when it was made, u64 time when
//                   it was last used, 16 bytes the GPU's name, 64 bytes variants that use it (distinct_count.h)
//
// Times are microseconds since 1970.
//
// Usage is apart from the part because it changes, and so that looking for what to evict, or listing what is there,
// reads no part.
#pragma once

#include "parts/part.h"
#include "parts/store/distinct_count.h"
#include "parts/store/lmdb_pages.h"
#include "src/base/error.h"
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace dovetail::store {

enum class Table : uint8_t { Parts = 1, Usage = 2 };

constexpr size_t KeyBytes = 18;
using KeyRecord = std::array<uint8_t, KeyBytes>;

KeyRecord makeKey(Table table, const PartKey &key);
// Nothing if it is none.
std::optional<PartKey> readKey(Table table, Bytes bytes);

// Appends the record of a part. Its checksum is that of the part's own key.
void encodeEntry(const Part &part, int64_t created, std::vector<uint8_t> &bytes);
// Errors: InvalidInput, saying whether it is damaged or of another format.
Result<Part> decodeEntry(const PartKey &key, Bytes bytes);
// Checks everything but the part itself.
Result<void> checkEntry(const PartKey &key, Bytes bytes);
// When the part was made. The entry must have been checked.
int64_t createdOf(Bytes bytes);

// LLVM's names of GPUs are shorter.
constexpr size_t GpuNameBytes = 16;

struct UsageRecord {
  uint32_t bytes = 0;
  uint64_t hits = 0;
  int64_t created = 0;
  int64_t lastUsed = 0;
  std::array<char, GpuNameBytes> gpuName = {}; // filled up with zeros; nothing but zeros: it was not said
  DistinctCount variants;

  void setGpuName(std::string_view name); // cut off if it is too long
  std::string_view getGpuName() const;
};

constexpr size_t UsageBytes = 32 + GpuNameBytes + DistinctCount::Bytes;
std::array<uint8_t, UsageBytes> encodeUsage(const UsageRecord &usage);
std::optional<UsageRecord> decodeUsage(Bytes bytes);

} // namespace dovetail::store

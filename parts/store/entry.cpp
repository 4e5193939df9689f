// SPDX-License-Identifier: MIT
#include "parts/store/entry.h"
#include "parts/store/part_bytes.h"
#include <algorithm>
#include <cstddef>
#include <cstring>

namespace dovetail::store {

namespace {

constexpr uint32_t Magic = 0x54505644; // "DVPT"
// Changes whenever the meaning of any byte of a record does.
constexpr uint32_t FormatVersion = 1;

struct Header {
  uint32_t magic = Magic;
  uint32_t version = FormatVersion;
  uint64_t checksumHigh = 0, checksumLow = 0;
  int64_t created = 0;
  uint32_t partBytes = 0;
  uint32_t zero = 0;
};
static_assert(sizeof(Header) == 40, "there is no padding");

Hash128 checksumOf(const PartKey &key, const Header &header, Bytes part) {
  Hasher hasher;
  hasher.add(key.kind).add(key.hash);
  hasher.add(header.magic).add(header.version).add(header.created).add(header.partBytes).add(header.zero);
  hasher.addBytes(std::as_bytes(part));
  return hasher.finish();
}

uint64_t readBigEndian(const uint8_t *at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof(value));
  return __builtin_bswap64(value);
}

void writeBigEndian(uint64_t value, uint8_t *at) {
  value = __builtin_bswap64(value);
  std::memcpy(at, &value, sizeof(value));
}

} // namespace

KeyRecord makeKey(Table table, const PartKey &key) {
  KeyRecord record;
  record[0] = uint8_t(table);
  record[1] = uint8_t(key.kind);
  writeBigEndian(key.hash.high, &record[2]);
  writeBigEndian(key.hash.low, &record[10]);
  return record;
}

std::optional<PartKey> readKey(Table table, Bytes bytes) {
  if (bytes.size() != KeyBytes || bytes[0] != uint8_t(table) || bytes[1] > uint8_t(PartKind::Monolithic))
    return std::nullopt;
  return PartKey{PartKind(bytes[1]), {readBigEndian(&bytes[2]), readBigEndian(&bytes[10])}};
}

void encodeEntry(const Part &part, int64_t created, std::vector<uint8_t> &bytes) {
  size_t start = bytes.size();
  bytes.resize(start + sizeof(Header));
  encodePart(part, bytes);
  Header header;
  header.created = created;
  header.partBytes = uint32_t(bytes.size() - start - sizeof(Header));
  Hash128 checksum = checksumOf(part.key, header, Bytes(bytes).subspan(start + sizeof(Header)));
  header.checksumHigh = checksum.high;
  header.checksumLow = checksum.low;
  std::memcpy(&bytes[start], &header, sizeof(header));
}

Result<void> checkEntry(const PartKey &key, Bytes bytes) {
  Header header;
  if (bytes.size() < sizeof(header))
    return makeError(ErrorCode::InvalidInput, "{} {}: the entry is cut off", toString(key.kind), key.hash.toHex());
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != Magic || header.version != FormatVersion)
    return makeError(ErrorCode::InvalidInput, "{} {}: the entry is of another format", toString(key.kind),
                     key.hash.toHex());
  if (header.partBytes != bytes.size() - sizeof(header))
    return makeError(ErrorCode::InvalidInput, "{} {}: the entry has another length than it says", toString(key.kind),
                     key.hash.toHex());
  Hash128 checksum = checksumOf(key, header, bytes.subspan(sizeof(header)));
  if (checksum != Hash128{header.checksumHigh, header.checksumLow})
    return makeError(ErrorCode::InvalidInput, "{} {}: the checksum of the entry is wrong", toString(key.kind),
                     key.hash.toHex());
  return {};
}

int64_t createdOf(Bytes bytes) {
  int64_t created;
  std::memcpy(&created, bytes.data() + offsetof(Header, created), sizeof(created));
  return created;
}

Result<Part> decodeEntry(const PartKey &key, Bytes bytes) {
  DOVETAIL_CHECK(checkEntry(key, bytes));
  Part part = DOVETAIL_TRY(decodePart(bytes.subspan(sizeof(Header))));
  if (part.key != key)
    return makeError(ErrorCode::InvalidInput, "{} {}: the entry holds another part", toString(key.kind),
                     key.hash.toHex());
  return part;
}

void UsageRecord::setGpuName(std::string_view name) {
  gpuName = {};
  std::copy_n(name.begin(), std::min(name.size(), GpuNameBytes), gpuName.begin());
}

std::string_view UsageRecord::getGpuName() const {
  return {gpuName.data(), size_t(std::find(gpuName.begin(), gpuName.end(), 0) - gpuName.begin())};
}

std::array<uint8_t, UsageBytes> encodeUsage(const UsageRecord &usage) {
  std::array<uint8_t, UsageBytes> bytes = {};
  std::memcpy(&bytes[0], &usage.bytes, 4);
  std::memcpy(&bytes[8], &usage.hits, 8);
  std::memcpy(&bytes[16], &usage.created, 8);
  std::memcpy(&bytes[24], &usage.lastUsed, 8);
  std::copy(usage.gpuName.begin(), usage.gpuName.end(), &bytes[32]);
  std::copy(usage.variants.registers.begin(), usage.variants.registers.end(), &bytes[32 + GpuNameBytes]);
  return bytes;
}

std::optional<UsageRecord> decodeUsage(Bytes bytes) {
  if (bytes.size() != UsageBytes)
    return std::nullopt;
  UsageRecord usage;
  std::memcpy(&usage.bytes, &bytes[0], 4);
  std::memcpy(&usage.hits, &bytes[8], 8);
  std::memcpy(&usage.created, &bytes[16], 8);
  std::memcpy(&usage.lastUsed, &bytes[24], 8);
  std::copy_n(&bytes[32], GpuNameBytes, usage.gpuName.begin());
  std::copy_n(&bytes[32 + GpuNameBytes], DistinctCount::Bytes, usage.variants.registers.begin());
  return usage;
}

} // namespace dovetail::store

// SPDX-License-Identifier: MIT
#include "parts/store/entry.h"
#include "parts/compile/toolchain_version.h"
#include "parts/part_bytes.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace dovetail::store {

namespace {

// Must change whenever the meaning of any byte of a value changes.
constexpr uint32_t FormatVersion = 3;

Hash128 checksumOf(const PartKey &key, Bytes part) {
  return Hasher().add(FormatVersion).add(key.kind).add(key.hash).addBytes(std::as_bytes(part)).finish();
}

} // namespace

spirv::ModuleDigest rowOf(const spirv::ModuleDigest &module) {
  const Hash128 build = toolchainVersion();
  std::array<uint8_t, sizeof(build)> bytes;
  std::memcpy(bytes.data(), &build, sizeof(build));
  spirv::ModuleDigest row = module;
  for (size_t i = 0; i < bytes.size(); ++i)
    row[i] ^= bytes[i];
  return row;
}

std::vector<uint8_t> encodeEntry(const Part &part) {
  std::vector<uint8_t> value(sizeof(Hash128));
  encodePart(part, value);
  const Hash128 checksum = checksumOf(part.key, Bytes(value).subspan(sizeof(Hash128)));
  std::memcpy(value.data(), &checksum, sizeof(checksum));
  return value;
}

bool hasGoodChecksum(const PartKey &key, Bytes value) {
  Hash128 checksum;
  if (value.size() < sizeof(checksum))
    return false;
  std::memcpy(&checksum, value.data(), sizeof(checksum));
  return checksum == checksumOf(key, value.subspan(sizeof(checksum)));
}

Result<Part> decodeEntry(const PartKey &key, Bytes value) {
  if (!hasGoodChecksum(key, value))
    return makeError(ErrorCode::InvalidInput, "{} {}: the checksum of the entry is wrong", toString(key.kind),
                     key.hash.toHex());
  Result<Part> decoded = decodePart(value.subspan(sizeof(Hash128)));
  if (decoded && decoded->key != key)
    return makeError(ErrorCode::InvalidInput, "{} {}: the entry is of another part", toString(key.kind),
                     key.hash.toHex());
  return decoded;
}

VariantCount::VariantCount(Bytes bytes) {
  if (bytes.size() == sizeof(bits))
    std::memcpy(static_cast<void *>(&bits), bytes.data(), sizeof(bits));
}

uint64_t VariantCount::estimate() const {
  const double size = double(bits.size()), clear = double(std::max<size_t>(bits.size() - bits.count(), 1));
  return uint64_t(std::llround(size * std::log(size / clear)));
}

} // namespace dovetail::store

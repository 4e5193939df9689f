// SPDX-License-Identifier: MIT
#include "parts/store/entry.h"
#include "parts/part_bytes.h"
#include <chrono>
#include <cstring>

namespace dovetail::store {

namespace {

constexpr uint32_t Magic = 0x54505644; // "DVPT"
// Changes whenever the meaning of any byte of a value does.
constexpr uint32_t FormatVersion = 2;

struct Header {
  uint32_t magic = Magic;
  uint32_t version = FormatVersion;
  uint64_t checksumHigh = 0, checksumLow = 0;
};
static_assert(sizeof(Header) == 24, "there is no padding");

Hash128 checksumOf(const PartKey &key, Bytes part) {
  return Hasher().add(key.kind).add(key.hash).add(FormatVersion).addBytes(std::as_bytes(part)).finish();
}

tl::unexpected<Error> entryError(const PartKey &key, const char *text) {
  return makeError(ErrorCode::InvalidInput, "{} {}: {}", toString(key.kind), key.hash.toHex(), text);
}

} // namespace

void encodeEntry(const Part &part, std::vector<uint8_t> &value) {
  value.assign(sizeof(Header), 0);
  encodePart(part, value);
  const Hash128 checksum = checksumOf(part.key, Bytes(value).subspan(sizeof(Header)));
  const Header header = {.checksumHigh = checksum.high, .checksumLow = checksum.low};
  std::memcpy(value.data(), &header, sizeof(header));
}

Result<Part> decodeEntry(const PartKey &key, Bytes value) {
  Header header;
  if (value.size() < sizeof(header))
    return entryError(key, "the entry is cut off");
  std::memcpy(&header, value.data(), sizeof(header));
  if (header.magic != Magic || header.version != FormatVersion)
    return entryError(key, "the entry is of another format");
  if (checksumOf(key, value.subspan(sizeof(header))) != Hash128{header.checksumHigh, header.checksumLow})
    return entryError(key, "the checksum of the entry is wrong");
  Part part = DOVETAIL_TRY(decodePart(value.subspan(sizeof(header))));
  if (part.key != key)
    return entryError(key, "the entry holds another part");
  return part;
}

int64_t microsecondsSince1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

} // namespace dovetail::store

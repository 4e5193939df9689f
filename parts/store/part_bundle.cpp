// SPDX-License-Identifier: MIT
//
// The layout of a bundle:
//
//   header     its format, GPU and build, and the number of parts
//   directory  a row for each part: its key and the size of its entry
//   entries    one behind the other
//
// All numbers are little-endian, as they are in memory.
#include "parts/store/part_bundle.h"
#include "parts/compile/toolchain_version.h"
#include "parts/store/entry.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace dovetail {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> Magic = {'d', 'o', 'v', 'e', 't', 'a', 'i', 'l'};
constexpr uint32_t FormatVersion = 1;

struct Header {
  std::array<char, 8> magic = Magic;
  uint32_t version = FormatVersion;
  uint32_t count = 0;
  std::array<char, 16> gpuName = {}; // with a final 0
  Hash128 toolchain;
};
struct Row {
  uint64_t size = 0; // of the entry
  uint64_t kind = 0;
  Hash128 hash;
};
static_assert(sizeof(Header) == 48 && sizeof(Row) == 32); // no padding

template <typename T> void append(std::vector<uint8_t> &bytes, const T &value) {
  const auto *first = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(value));
}

// Returns false if there are fewer bytes.
template <typename T> bool take(std::span<const uint8_t> &bytes, T &value) {
  if (bytes.size() < sizeof(value))
    return false;
  std::memcpy(static_cast<void *>(&value), bytes.data(), sizeof(value));
  bytes = bytes.subspan(sizeof(value));
  return true;
}

tl::unexpected<Error> isCutOff() {
  return makeError(ErrorCode::InvalidInput, "the bundle of parts is cut off");
}

} // namespace

std::vector<uint8_t> writePartBundle(std::span<const PartRef> given, std::string_view gpuName) {
  std::vector<PartRef> parts;
  std::ranges::copy_if(given, std::back_inserter(parts),
                       [](const PartRef &part) { return part->tier == CodeTier::Llvm; });
  Header header;
  header.count = uint32_t(parts.size());
  std::ranges::copy(gpuName.substr(0, header.gpuName.size() - 1), header.gpuName.begin());
  header.toolchain = toolchainVersion();
  std::vector<uint8_t> bytes, entries;
  append(bytes, header);
  for (const PartRef &part : parts) {
    const std::vector<uint8_t> entry = store::encodeEntry(*part);
    append(bytes, Row{entry.size(), uint64_t(part->key.kind), part->key.hash});
    entries.insert(entries.end(), entry.begin(), entry.end());
  }
  bytes.insert(bytes.end(), entries.begin(), entries.end());
  return bytes;
}

Result<PartBundle> readPartBundle(std::span<const uint8_t> bytes, std::string_view gpuName) {
  Header header;
  if (!take(bytes, header) || header.magic != Magic)
    return makeError(ErrorCode::InvalidInput, "this is no bundle of parts");
  if (header.version != FormatVersion)
    return makeError(ErrorCode::InvalidInput, "the bundle of parts has format {}, and {} is read", header.version,
                     FormatVersion);
  const std::string_view itsGpu(header.gpuName.data(), strnlen(header.gpuName.data(), header.gpuName.size()));
  if (itsGpu != gpuName)
    return makeError(ErrorCode::InvalidInput, "the bundle of parts is for {}, and the device for {}", itsGpu, gpuName);
  if (header.toolchain != toolchainVersion())
    return makeError(ErrorCode::InvalidInput, "the bundle of parts is of build {}, and this is {}",
                     header.toolchain.toHex(), toolchainVersion().toHex());
  if (bytes.size() / sizeof(Row) < header.count)
    return isCutOff();
  std::vector<Row> rows(header.count);
  for (Row &row : rows)
    take(bytes, row);
  // Parts are taken only from a bundle that is consistent as a whole.
  uint64_t rest = bytes.size();
  for (const Row &row : rows) {
    if (row.size > rest)
      return isCutOff();
    rest -= row.size;
  }
  if (rest != 0)
    return makeError(ErrorCode::InvalidInput, "there are {} bytes behind the bundle of parts", rest);

  PartBundle bundle;
  for (const Row &row : rows) {
    const std::span<const uint8_t> entry = bytes.first(row.size);
    bytes = bytes.subspan(row.size);
    if (row.kind >= PartKindCount) {
      ++bundle.damaged;
      continue;
    }
    Result<Part> part = store::decodeEntry({PartKind(row.kind), row.hash}, entry);
    if (part)
      bundle.parts.push_back(std::make_shared<const Part>(std::move(*part)));
    else
      ++bundle.damaged;
  }
  return bundle;
}

} // namespace dovetail

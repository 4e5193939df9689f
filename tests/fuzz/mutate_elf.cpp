// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutate_elf.h"
#include <algorithm>
#include <cstring>
#include <elf.h>

namespace dovetail::fuzz {

namespace {

using Random = std::mt19937_64;
using Bytes = std::vector<uint8_t>;

struct Range {
  size_t begin = 0, size = 0;
};

template <typename T> T readAt(std::span<const uint8_t> bytes, size_t at) {
  T value = {};
  if (at <= bytes.size() && bytes.size() - at >= sizeof(T))
    std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// The file's header, a section's header or a section's contents. All of the file if it is no ELF file any more.
Range pickRange(const Bytes &bytes, Random &random) {
  const auto header = readAt<Elf64_Ehdr>(bytes, 0);
  if (random() % 6 == 0)
    return {0, sizeof(header)};
  if (header.e_shnum != 0 && header.e_shnum < 64 && header.e_shoff < bytes.size()) {
    const size_t at = header.e_shoff + random() % header.e_shnum * sizeof(Elf64_Shdr);
    if (random() % 3 == 0)
      return {at, sizeof(Elf64_Shdr)};
    const auto section = readAt<Elf64_Shdr>(bytes, at);
    if (section.sh_type != SHT_NULL && section.sh_offset < bytes.size() && section.sh_size != 0)
      return {section.sh_offset, section.sh_size};
  }
  return {0, bytes.size()};
}

uint64_t pickNumber(size_t fileSize, Random &random) {
  constexpr uint64_t numbers[] = {0,       1,     2,    3,    4,      7,          8,          16,
                                  24,      63,    64,   65,   127,    128,        255,        256,
                                  65535,   65536, 4096, 4095, 0x7fff, 0x7fffffff, 0xffffffff, 0xffffffffffffffff,
                                  1u << 20};
  switch (random() % 8) {
  case 0:
    return fileSize + random() % 3 - 1;
  case 1:
    return random() % (fileSize + 1);
  case 2:
    return random();
  default:
    return numbers[random() % std::size(numbers)];
  }
}

void change(Bytes &bytes, std::span<const uint8_t> other, Random &random) {
  if (bytes.empty())
    return;
  const Range range = pickRange(bytes, random);
  if (range.begin >= bytes.size() || range.size == 0)
    return;
  const size_t at = range.begin + random() % std::min(range.size, bytes.size() - range.begin);
  const size_t left = bytes.size() - at;
  switch (random() % 10) {
  case 0: // cut off
    bytes.resize(at);
    break;
  case 1: // some bytes more
    bytes.insert(bytes.begin() + std::ptrdiff_t(at), 1 + random() % 16, uint8_t(random()));
    break;
  case 2: // some bytes less
    bytes.erase(bytes.begin() + std::ptrdiff_t(at),
                bytes.begin() + std::ptrdiff_t(at + std::min<size_t>(left, 1 + random() % 16)));
    break;
  case 3: // bytes of the other file
    if (!other.empty()) {
      const size_t from = random() % other.size();
      const size_t count = std::min({left, other.size() - from, size_t(1 + random() % 64)});
      std::memcpy(bytes.data() + at, other.data() + from, count);
    }
    break;
  case 4:
    bytes[at] ^= uint8_t(1 << random() % 8);
    break;
  case 5:
    bytes[at] = uint8_t(random());
    break;
  default: { // a number
    const uint64_t number = pickNumber(bytes.size(), random);
    const size_t width = size_t(1) << random() % 4, aligned = at / width * width;
    if (aligned + width <= bytes.size())
      std::memcpy(bytes.data() + aligned, &number, width);
  }
  }
}

} // namespace

std::vector<uint8_t> mutateElf(std::vector<uint8_t> bytes, std::span<const uint8_t> other, Random &random) {
  for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
    change(bytes, other, random);
  return bytes;
}

} // namespace dovetail::fuzz

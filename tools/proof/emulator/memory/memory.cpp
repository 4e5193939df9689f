// SPDX-License-Identifier: MIT
//
// Source of the 48 bits: BASE_ADDRESS_HI of V# in AMD's register headers.
#include "tools/proof/emulator/memory/memory.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail::emulator {

namespace {
// The gap between regions, so large that an access that misses by a whole table hits no other region.
constexpr uint64_t Gap = 0x10000;
} // namespace

uint64_t Memory::map(std::string name, std::vector<uint8_t> bytes, uint64_t alignment, bool writable) {
  uint64_t address = (m_next + alignment - 1) / alignment * alignment;
  m_next = address + bytes.size() + Gap;
  mapAt(address, std::move(name), std::move(bytes), writable);
  return address;
}

void Memory::mapAt(uint64_t address, std::string name, std::vector<uint8_t> bytes, bool writable) {
  m_regions.emplace(address, Region{std::move(name), std::move(bytes), writable, 0});
}

std::span<uint8_t> Memory::find(uint64_t address, uint64_t size, bool forWriting) {
  address = signExtended(address);
  auto behind = m_regions.upper_bound(address);
  if (behind == m_regions.begin())
    return {};
  auto &[start, region] = *std::prev(behind);
  m_last = &region;
  m_lastStart = start;
  uint64_t offset = address - start;
  if (offset > region.bytes.size() || size > region.bytes.size() - offset || (forWriting && !region.writable))
    return {};
  region.writes += forWriting;
  return std::span(region.bytes).subspan(offset, size);
}

std::span<uint8_t> Memory::region(uint64_t address) {
  auto found = m_regions.find(address);
  return found == m_regions.end() ? std::span<uint8_t>() : std::span(found->second.bytes);
}

void Memory::setAbsent(uint64_t address, uint64_t size) {
  m_absent.push_back({address, address + size});
}

std::vector<Memory::ByteRange> Memory::absent(uint64_t address, uint64_t size) const {
  address = signExtended(address);
  std::vector<ByteRange> found;
  for (const ByteRange &range : m_absent)
    if (range.begin < address + size && address < range.end)
      found.push_back({std::max(range.begin, address) - address, std::min(range.end, address + size) - address});
  return found;
}

std::string Memory::describe(uint64_t address) const {
  address = signExtended(address);
  auto behind = m_regions.upper_bound(address);
  if (behind == m_regions.begin())
    return fmt::format("0x{:x} (below everything)", address);
  const auto &[start, region] = *std::prev(behind);
  uint64_t end = start + region.bytes.size();
  if (address < end)
    return fmt::format("0x{:x} ({} bytes into '{}' of {} bytes)", address, address - start, region.name,
                       region.bytes.size());
  return fmt::format("0x{:x} ({} bytes behind the end of '{}')", address, address - end, region.name);
}

} // namespace dovetail::emulator

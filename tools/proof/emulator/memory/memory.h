// SPDX-License-Identifier: MIT
//
// The GPU's address space: regions of bytes with gaps between them, so that an access outside of bound memory hits
// nothing. All addresses from map() share their high half, because pointers in user SGPRs have 32 bits.
#pragma once

#include "tools/proof/emulator/memory/texel_cache.h"
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::emulator {

constexpr uint64_t MemoryWindow = 0x1'0000'0000; // the high half of every address, unless a driver chooses another

// Not thread-safe.
class Memory {
public:
  explicit Memory(uint64_t window = MemoryWindow) : m_next(window + 0x10000) {}

  // Puts bytes at a free place and returns their address. `name`: the region's name in traps.
  uint64_t map(std::string name, std::vector<uint8_t> bytes, uint64_t alignment = 256, bool writable = true);

  // The same at an address that the caller chooses. The address must be free: in another window, for memory of which
  // programs know whole addresses.
  void mapAt(uint64_t address, std::string name, std::vector<uint8_t> bytes, bool writable = true);

  // The bytes [address, address + size). Empty if they do not lie in one region, or if `forWriting` and the region is
  // not writable. Addresses have 48 bits; the upper bits count as copies of bit 47, because descriptors lack them.
  std::span<uint8_t> at(uint64_t address, uint64_t size, bool forWriting = false) {
    const uint64_t offset = signExtended(address) - m_lastStart;
    if (m_last == nullptr || offset > m_last->bytes.size() || size > m_last->bytes.size() - offset)
      return find(address, size, forWriting);
    if (forWriting && !m_last->writable)
      return {};
    m_last->writes += forWriting;
    return std::span(m_last->bytes).subspan(offset, size);
  }

  // Decoded texels of an image. `image` must just have come from at(). nullptr: decode texels one by one.
  const TexelValue *texels(std::span<const uint8_t> image, const TexelLayout &layout) {
    return m_last == nullptr ? nullptr : m_texelCache.find(image, layout, m_last->writes);
  }

  // The whole region at an address from map().
  std::span<uint8_t> region(uint64_t address);

  // From now on, the pages of [address, address + size) of a region are not resident: image loads and samples of them
  // give 0 and report it. (A page is as small as the caller likes.)
  void setAbsent(uint64_t address, uint64_t size);
  struct ByteRange {
    uint64_t begin = 0, end = 0;
  };
  // The ranges that are not resident in [address, address + size), relative to `address`. The range must lie in one
  // region.
  std::vector<ByteRange> absent(uint64_t address, uint64_t size) const;

  // Text for messages: "0x100000120 (8 bytes behind the end of 'set 0 binding 1')".
  std::string describe(uint64_t address) const;

private:
  struct Region {
    std::string name;
    std::vector<uint8_t> bytes;
    bool writable;
    uint64_t writes = 0; // how often bytes were handed out for writing
  };
  static uint64_t signExtended(uint64_t address) {
    return static_cast<uint64_t>(static_cast<int64_t>(address << 16) >> 16);
  }
  std::span<uint8_t> find(uint64_t address, uint64_t size, bool forWriting);

  std::map<uint64_t, Region> m_regions;
  Region *m_last = nullptr; // found last: most accesses are near the one before
  uint64_t m_lastStart = 0;
  TexelCache m_texelCache;
  std::vector<ByteRange> m_absent; // addresses
  uint64_t m_next;
};

} // namespace dovetail::emulator

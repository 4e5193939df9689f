// SPDX-License-Identifier: MIT
//
// This process's own writable anonymous memory. RADV's null hardware keeps there what a GPU would get.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

using Dwords = std::span<const uint32_t>;

// All mappings, in the order of their addresses. Valid until something unmaps memory.
class OwnMemory {
public:
  OwnMemory();
  OwnMemory(const OwnMemory &) = delete;
  auto begin() const { return m_regions.begin(); }
  auto end() const { return m_regions.end(); }

private:
  std::vector<Dwords> m_regions;
  std::vector<std::vector<uint32_t>> m_copies; // for AddressSanitizer, which forbids reads between its objects
};

} // namespace dovetail

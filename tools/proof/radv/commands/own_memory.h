// SPDX-License-Identifier: MIT
//
// This process's own writable anonymous memory, in which RADV's null hardware keeps what a GPU would be given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

using Dwords = std::span<const uint32_t>;

// Every mapping, in the order of its addresses. Valid for as long as nothing unmaps memory.
class OwnMemory {
public:
  OwnMemory();
  OwnMemory(const OwnMemory &) = delete;
  auto begin() const { return m_regions.begin(); }
  auto end() const { return m_regions.end(); }

private:
  std::vector<Dwords> m_regions;
  std::vector<std::vector<uint32_t>> m_copies; // under AddressSanitizer, which forbids to look between its objects
};

} // namespace dovetail

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
std::vector<Dwords> ownMemory();

} // namespace dovetail

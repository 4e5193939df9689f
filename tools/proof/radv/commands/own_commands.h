// SPDX-License-Identifier: MIT
//
// Finds the commands that RADV's null hardware got. It keeps command buffers in ordinary memory and gives them to
// nobody. So they are searched for in this process's own writable anonymous mappings.
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail {

// The data of vkCmdUpdateBuffer(), which RADV puts into the commands unchanged. A marker must differ from all that were
// recorded before, because memory keeps those.
using CommandMarker = std::array<uint32_t, 4>;

// The commands between two markers of one command buffer. Errors: CheckFailed if they are not in memory.
Result<std::vector<uint32_t>> findCommandsBetween(const CommandMarker &begin, const CommandMarker &end);

// The commands with which a device's queue starts: defaults of the registers that no pipeline sets. Errors: CheckFailed
// if they are not in memory.
Result<std::vector<uint32_t>> findPreamble();

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Commands that RADV's null hardware has been given. It keeps command buffers in ordinary memory and gives them to
// nobody, so they are looked for in this process's own writable anonymous mappings.
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail {

// The data of vkCmdUpdateBuffer(), which RADV puts into the commands as they are. What is looked for must differ from
// all that was recorded before, because memory keeps that.
using CommandMarker = std::array<uint32_t, 4>;

// The commands between two markers of one command buffer. Errors: CheckFailed if these are not there.
Result<std::vector<uint32_t>> findCommandsBetween(const CommandMarker &begin, const CommandMarker &end);

// What a device's queue starts with: defaults of the registers that no pipeline sets. Errors: CheckFailed if there are
// none.
Result<std::vector<uint32_t>> findPreamble();

} // namespace dovetail

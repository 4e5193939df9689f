// SPDX-License-Identifier: MIT
//
// What happens to a module before anything else looks at it.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::spirv {

// Reads a file's bytes as SPIR-V words of either byte order; the magic number must be there.
Result<std::vector<uint32_t>> readWords(std::span<const uint8_t> bytes);

// Checks a module with SPIRV-Tools' validator, in the Vulkan environment that fits its version.
Result<void> validate(std::span<const uint32_t> words);

} // namespace dovetail::spirv

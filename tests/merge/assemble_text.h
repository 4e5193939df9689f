// SPDX-License-Identifier: MIT
//
// GFX9 assembly text to code bytes.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::test {

// The text has one instruction or label a line. Errors: InvalidInput with LLVM's messages.
Result<std::vector<uint8_t>> assembleText(std::string_view text, std::string_view gpuName = "gfx900");

} // namespace dovetail::test

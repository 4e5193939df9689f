// SPDX-License-Identifier: MIT
//
// GFX9 assembly text to code bytes, so that a test shows the instructions that it is about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::test {

// The text has one instruction a line. A mistake in it fails the running test with LLVM's message.
std::vector<uint8_t> assemble(std::string_view text, std::string_view gpuName = "gfx900");

} // namespace dovetail::test

// SPDX-License-Identifier: MIT
//
// SPIR-V of GLSL, and its disassembly, for tests of code that rewrites modules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::test {

// The module of a fragment shader, whose text may leave out "#version 450". The running test fails if it cannot be
// translated.
std::vector<uint32_t> fragmentWords(const std::string &text);

// A module's instructions as text. `hasNames`: ids are names instead of numbers. The running test fails if the module
// is invalid for Vulkan.
std::string validListing(const std::vector<uint32_t> &words, bool hasNames = false);

size_t countOf(std::string_view text, std::string_view part);

} // namespace dovetail::test

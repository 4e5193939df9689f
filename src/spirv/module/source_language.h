// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::spirv {

// SPIRV-Tools refuses a module whose OpSource names a language that its grammar does not know yet (11 is Slang), though
// no rule depends on the language. This returns the module as if its languages were unknown, for SPIRV-Tools only:
// keys are made from the module's own words. Each instruction stays where it is. The words need not be valid.
std::vector<uint32_t> withoutSourceLanguage(std::span<const uint32_t> words);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::spirv {

// What SPIRV-Tools gets to see of a module.
struct VisibleModule {
  std::vector<uint32_t> words;
  // For each instruction, and for the end: its place in the whole module, in words.
  std::vector<uint32_t> offsets;
  // The places of what means something and is not seen.
  std::vector<uint32_t> hidden;
};

// Debug instructions have no meaning, but SPIRV-Tools judges them, and refuses what its grammar does not know yet or
// what is of a newer version than the module. So they are hidden from it: OpModuleProcessed, instruction sets whose
// names begin with NonSemantic., OpenCL.DebugInfo.100 and DebugInfo with their instructions, and the names of those;
// and every OpSource names no language (11 is Slang). Keys, and whoever reads lines, have the module's own words. The
// words need not be valid.
VisibleModule hideDebugInstructions(std::span<const uint32_t> words);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dovetail::spirv {

// The module that SPIRV-Tools sees.
struct VisibleModule {
  std::vector<uint32_t> words;
  // For each instruction, and for the end: its place in the whole module, in words.
  std::vector<uint32_t> offsets;
  // The places of instructions that have a meaning but are not shown.
  std::vector<uint32_t> hidden;
};

// Whether instructions of a set with this name have no meaning.
bool isDebugSet(std::string_view name);

// Hides debug instructions from SPIRV-Tools. They have no meaning, but SPIRV-Tools checks them. It refuses instructions
// that its grammar does not know yet, or that are of a newer version than the module. These are hidden:
// OpModuleProcessed; instruction sets whose names begin with NonSemantic., OpenCL.DebugInfo.100 and DebugInfo, with
// their instructions; and the names of those. Every OpSource gets no language (11 is Slang). Keys, and readers of
// lines, use the module's own words. The words need not be valid.
VisibleModule hideDebugInstructions(std::span<const uint32_t> words);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// SPIRV-Tools checks debug instructions, although they have no meaning, and refuses those that its grammar does not
// know yet, or that are of a newer version than the module. It would also refuse features that the front end takes:
// SPV_KHR_quad_control, SPV_KHR_maximal_reconvergence, and version 1.5's capabilities ShaderLayer and
// ShaderViewportIndex. Slang declares the last two in geometry shaders of older versions, where they have no effect. So
// this file shows SPIRV-Tools another module.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <vector>

namespace dovetail::spirv {

// SPV_KHR_quad_control.
constexpr auto CapabilityQuadControl = static_cast<spv::Capability>(5087);
constexpr auto ModeQuadDerivatives = static_cast<spv::ExecutionMode>(5088);
constexpr auto ModeRequireFullQuads = static_cast<spv::ExecutionMode>(5089);
constexpr auto OpQuadAll = static_cast<spv::Op>(5110);
constexpr auto OpQuadAny = static_cast<spv::Op>(5111);
// SPV_KHR_maximal_reconvergence.
constexpr auto ModeMaximallyReconverges = static_cast<spv::ExecutionMode>(6023);

// The module that SPIRV-Tools sees.
struct VisibleModule {
  std::vector<uint32_t> words;
  // For each instruction, and for the end: its place in the whole module, in words.
  std::vector<uint32_t> offsets;
};

// Whether instructions of a set with this name have no meaning.
bool isDebugSet(std::string_view name);

// Hides debug instructions: OpModuleProcessed; instruction sets whose names begin with NonSemantic.,
// OpenCL.DebugInfo.100 and DebugInfo, with their instructions; and the names of those. Every OpSource gets no language
// (11 is Slang). `hidesNewer`: also hides those capabilities and execution modes, and replaces a vote of a quad by
// OpLogicalNot, which is as long and has the same types. Keys, and readers of lines, use the module's own words. The
// words need not be valid.
VisibleModule showToTools(std::span<const uint32_t> words, bool hidesNewer = true);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// The front end takes features that are newer than the SPIRV-Tools of the build, or than the version that the module
// declares: SPV_KHR_quad_control, SPV_KHR_maximal_reconvergence, and version 1.5's capabilities ShaderLayer and
// ShaderViewportIndex. Slang declares the last two in geometry shaders of older versions, where they have no effect.
// SPIRV-Tools would refuse such a module unread, so this file shows it another module.
#pragma once

#include "src/spirv/module/debug_instructions.h"
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::spirv {

// SPV_KHR_quad_control.
constexpr auto CapabilityQuadControl = static_cast<spv::Capability>(5087);
constexpr auto ModeQuadDerivatives = static_cast<spv::ExecutionMode>(5088);
constexpr auto ModeRequireFullQuads = static_cast<spv::ExecutionMode>(5089);
constexpr auto OpQuadAll = static_cast<spv::Op>(5110);
constexpr auto OpQuadAny = static_cast<spv::Op>(5111);
// SPV_KHR_maximal_reconvergence.
constexpr auto ModeMaximallyReconverges = static_cast<spv::ExecutionMode>(6023);

// The module that SPIRV-Tools checks: without debug instructions, and without these capabilities and execution modes,
// whose places are in VisibleModule::hidden. A vote of a quad is replaced by OpLogicalNot, which is as long and has the
// same types. The words need not be valid.
VisibleModule showToTools(std::span<const uint32_t> words);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// What the front end takes that is newer than the SPIRV-Tools it may be built with, or than the module says that it is:
// SPV_KHR_quad_control, SPV_KHR_maximal_reconvergence, and version 1.5's capabilities ShaderLayer and
// ShaderViewportIndex, which Slang declares in geometry shaders of older versions, where they say nothing. SPIRV-Tools
// would refuse such a module unread, so it sees another one.
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

// A module as SPIRV-Tools can judge it: without debug instructions, and without these capabilities and execution modes,
// whose places are VisibleModule::hidden. In the place of a vote of a quad stands OpLogicalNot, which is as long and
// has the same types. The words need not be valid.
VisibleModule showToTools(std::span<const uint32_t> words);

} // namespace dovetail::spirv

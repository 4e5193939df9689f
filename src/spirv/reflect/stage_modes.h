// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/module.h"

namespace dovetail::spirv {

// The least that Vulkan lets maxTessellationPatchSize be, and what RADV reports.
constexpr uint32_t MaxPatchVertices = 32;

// Takes over an execution mode of tessellation, geometry or transform feedback, which mean the same to the translator
// and to reflection. False: the mode is of another kind.
Result<bool> takeStageMode(const ExecutionMode &mode, lgc::ShaderModes &modes);

} // namespace dovetail::spirv

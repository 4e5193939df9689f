// SPDX-License-Identifier: MIT
//
// States for comparing registers with RADV's. Nothing is drawn, so a state need not be visible. The states go further
// than those of pictures (tools/proof/scene/maker/make_scene.h).
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// A state chosen by the seed, out of those that Vulkan can express and these shaders can be drawn with.
PipelineState oracleState(const ShaderSet &shaders, uint64_t seed);

} // namespace dovetail

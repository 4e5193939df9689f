// SPDX-License-Identifier: MIT
//
// States for comparing registers with RADV's: nothing is drawn, so they need not be visible, and go further than those
// that pictures are made of (tools/proof/scene/maker/make_scene.h).
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// Chosen by the seed; of what Vulkan can express, and what these shaders can be drawn with.
PipelineState oracleState(const ShaderSet &shaders, uint64_t seed);

} // namespace dovetail

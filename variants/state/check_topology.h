// SPDX-License-Identifier: MIT
//
// Whether the primitives that the state assembles are those that the shaders take.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// Tessellation takes patches and makes triangles, lines or points; a geometry shader declares what it takes. Errors:
// StateMismatch, naming both sides.
Result<void> checkTopology(const ShaderSet &shaders, const PipelineState &state);

// A topology that these shaders take: patches, or lists of what the geometry shader declares, or triangles.
VkPrimitiveTopology defaultTopology(const ShaderSet &shaders);

} // namespace dovetail

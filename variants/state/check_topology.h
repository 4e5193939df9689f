// SPDX-License-Identifier: MIT
//
// Checks that the state assembles the primitives that the shaders take.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// Tessellation takes patches and makes triangles, lines or points. A geometry shader declares its input. Errors:
// StateMismatch, naming both sides.
Result<void> checkTopology(const ShaderSet &shaders, const PipelineState &state);

// A topology that these shaders take: patches, lists of the geometry shader's input, or triangles.
VkPrimitiveTopology defaultTopology(const ShaderSet &shaders);

} // namespace dovetail

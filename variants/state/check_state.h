// SPDX-License-Identifier: MIT
//
// Checks a state by itself, and whether it suits shaders.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// Finds states under which no program at all can be bound. A driver learns of them when it makes the state, not at a
// draw. Errors: Unsupported for a vertex attribute or a colour target with a format that cannot be used as such, which
// would fail as soon as a shader reads or writes it; StateMismatch for patches of an impossible size.
Result<void> checkState(const PipelineState &state);

// Checks that the state assembles the primitives that the shaders take.
//
// Tessellation takes patches and makes triangles, lines or points. A geometry shader declares its input. Errors:
// StateMismatch, naming both sides.
Result<void> checkTopology(const ShaderSet &shaders, const PipelineState &state);

// A topology that these shaders take: patches, lists of the geometry shader's input, or triangles.
VkPrimitiveTopology defaultTopology(const ShaderSet &shaders);

} // namespace dovetail

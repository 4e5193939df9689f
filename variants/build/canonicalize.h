// SPDX-License-Identifier: MIT
//
// States that make the same pipeline become the same state, so that they find the same variant.
#pragma once

#include "src/base/hash.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// The state as far as these shaders are concerned: sorts lists, drops vertex attributes and colour targets that the
// shaders do not touch, and gives what has no effect its default value: blend factors without blending, divisors of
// vertex-rate bindings, bindings without attributes, clip distances that nobody writes.
PipelineState canonicalize(const PipelineState &state, const ShaderSet &shaders);

// Field by field; strides are left out, because they are in the buffer descriptors.
Hash128 hashState(const PipelineState &canonicalState);

} // namespace dovetail

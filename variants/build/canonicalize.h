// SPDX-License-Identifier: MIT
//
// States that make the same pipeline become the same state, so that they find the same variant.
#pragma once

#include "src/base/hash.h"
#include "src/spirv/reflect/reflection.h"
#include "src/state/pipeline_state.h"

namespace dovetail {

// Sorts lists, drops vertex attributes and colour targets that the shaders do not touch, and gives what has no effect
// its default value: blend factors without blending, divisors of vertex-rate bindings, bindings without attributes.
// Either shader may be nullptr.
PipelineState canonicalize(const PipelineState &state, const spirv::Reflection *vertex,
                           const spirv::Reflection *fragment);

// Field by field; strides are left out, because they are in the buffer descriptors.
Hash128 hashState(const PipelineState &canonicalState);

} // namespace dovetail

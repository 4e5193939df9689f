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

// Hashes of the pieces of a state (state_table.h). Of a state as it is given, they say which prologs and epilogs it was
// bound with before; of a canonical one, which variant it comes to.
struct StateHashes {
  Hash128 vertexInput, colorOutput, rest;

  bool operator==(const StateHashes &) const = default;
  Hash128 hash() const; // of the whole state
};

// Field by field; strides are left out, because they are in the buffer descriptors.
StateHashes hashState(const PipelineState &state);

} // namespace dovetail

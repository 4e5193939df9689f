// SPDX-License-Identifier: MIT
//
// Makes states that lead to the same pipeline equal, so that they find the same variant.
#pragma once

#include "src/base/hash.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// The state as far as these shaders depend on it. It sorts lists, and drops vertex attributes and colour targets that
// the shaders do not touch. Fields without effect get their default values: blend factors without blending, divisors of
// vertex-rate bindings, bindings without attributes, clip distances that nobody writes.
PipelineState canonicalize(const PipelineState &state, const ShaderSet &shaders);

// Hashes of the pieces of a state (state_table.h). For a state as it is given, they find the prologs and epilogs that
// it was bound with before. For a canonical state, they name its variant.
struct StateHashes {
  Hash128 vertexInput, colorOutput, rest;

  bool operator==(const StateHashes &) const = default;
  Hash128 hash() const; // of the whole state
};

// Hashes field by field, without strides, because these are in the buffer descriptors.
StateHashes hashState(const PipelineState &state);

} // namespace dovetail

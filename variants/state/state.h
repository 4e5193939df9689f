// SPDX-License-Identifier: MIT
//
// State: a pipeline state that is going to be bound more than once. Its hash is computed when it is made, as for
// Gallium's constant state objects, so the cost of binding it does not depend on its size.
#pragma once

#include "src/base/error.h"
#include "src/base/hash.h"
#include "src/state/pipeline_state.h"
#include "src/state/stage_knowledge.h"
#include "variants/state/canonicalize.h"
#include <memory>
#include <vector>

namespace dovetail {

// Immutable, and safe to share between threads. A state belongs to no device.
struct State {
  PipelineState fields;
  void *user = nullptr; // the caller's; publications hand it back
  // Hashes of the fields as they are; the program decides which fields matter.
  StateHashes hashes;
  Hash128 hash; // of `hashes` and `user`
};

using StateRef = std::shared_ptr<const State>;

// States that differ only in the user are bound apart, and share their variants.
StateRef makeState(PipelineState fields, void *user = nullptr);

// Values of uniforms that optimised variants may be compiled for. Joined variants do not depend on them. Immutable.
struct UniformValues {
  std::vector<InlinableUniform> values; // sorted
  Hash128 hash;
};

using UniformValuesRef = std::shared_ptr<const UniformValues>;

// Errors: InvalidInput for offsets that are no multiples of 4, and for a place with two values.
Result<UniformValuesRef> makeUniformValues(std::vector<InlinableUniform> values);

} // namespace dovetail

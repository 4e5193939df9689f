// SPDX-License-Identifier: MIT
//
// States that no program can be bound under, whatever it is. A driver learns of them when it makes the state and not at
// a draw.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"

namespace dovetail {

// Errors: Unsupported for a vertex attribute or a colour target with a format that is none, which fails as soon as a
// shader reads or writes it; StateMismatch for patches of a size that there is not.
Result<void> checkState(const PipelineState &state);

} // namespace dovetail

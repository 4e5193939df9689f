// SPDX-License-Identifier: MIT
//
// Finds states under which no program at all can be bound. A driver learns of them when it makes the state, not at a
// draw.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"

namespace dovetail {

// Errors: Unsupported for a vertex attribute or a colour target with a format that cannot be used as such, which would
// fail as soon as a shader reads or writes it; StateMismatch for patches of an impossible size.
Result<void> checkState(const PipelineState &state);

} // namespace dovetail

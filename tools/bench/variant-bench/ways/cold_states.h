// SPDX-License-Identifier: MIT
//
// Makes states of which each needs a new prolog or a new epilog.
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <vector>

namespace dovetail {

// So many vertex inputs for up to four attributes of `base`, with a binding for each attribute. RADV compiles a dynamic
// prolog only for attributes whose divisor is neither 0 nor 1, or whose components have another order; it makes the
// others with the device. Each of these states has such an attribute.
std::vector<PipelineState> coldVertexInputs(const PipelineState &base, unsigned count);

// So many colour states with float formats for the first `targets` targets.
std::vector<PipelineState> coldColors(const PipelineState &base, unsigned targets, unsigned count);

} // namespace dovetail

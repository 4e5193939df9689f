// SPDX-License-Identifier: MIT
//
// States that differ in what a prolog or an epilog is made from, so that each needs a new one.
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <vector>

namespace dovetail {

// So many vertex inputs for up to four attributes of `base`, each with a binding of its own. RADV compiles a dynamic
// prolog only for attributes whose divisor is neither 0 nor 1 or whose components are in another order, and has made
// the others when the device was; each of these states has such an attribute.
std::vector<PipelineState> coldVertexInputs(const PipelineState &base, unsigned count);

// So many colour states for the first `targets` targets, of floats.
std::vector<PipelineState> coldColors(const PipelineState &base, unsigned targets, unsigned count);

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Makes the kinds of state between which applications switch, for shaders that come without a state.
#pragma once

#include "src/state/pipeline_state.h"
#include <vector>

namespace dovetail {

// Eight ways to lay out the vertex attributes of `base`: tightly packed, one buffer each, with padding, as 16- and
// 8-bit formats, per instance, per three instances, in reverse order.
std::vector<PipelineState> vertexInputStates(const PipelineState &base);

// Twelve ways to write the float colour targets of `base`: formats of 8 to 32 bits, blending, write masks, alpha test,
// alpha to coverage.
std::vector<PipelineState> colorStates(const PipelineState &base);

} // namespace dovetail

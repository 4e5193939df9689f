// SPDX-License-Identifier: MIT
//
// Records draws that change the vertex input as dynamic state: RADV then puts a prolog in front of the vertex shader.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include <vector>

namespace dovetail {

// Wall times in µs of setting each state's vertex input and recording a draw with it. Draws with `first` go before and
// do not count. The pipeline's vertex input must be dynamic. Errors: Unsupported, with the failing Vulkan call, and
// where nothing can be recorded.
Result<std::vector<double>> timeDynamicDraws(VkDevice device, VkPipeline pipeline, const PipelineState &first,
                                             const std::vector<PipelineState> &states);

} // namespace dovetail

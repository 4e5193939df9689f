// SPDX-License-Identifier: MIT
//
// Draws whose vertex input is set between them, as dynamic state: RADV puts a prolog in front of the vertex shader
// then.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include <vector>

namespace dovetail {

// Wall times in µs of setting each state's vertex input and recording a draw with it. The draws before, with that of
// `first`, are not counted. The pipeline's vertex input is dynamic. Errors: Unsupported, with the failing Vulkan call,
// and where nothing can be recorded.
Result<std::vector<double>> timeDynamicDraws(VkDevice device, VkPipeline pipeline, const PipelineState &first,
                                             const std::vector<PipelineState> &states);

} // namespace dovetail

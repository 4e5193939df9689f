// SPDX-License-Identifier: MIT
//
// Turns a captured pipeline into a PipelineState, and back.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/read_object.h"

namespace dovetail::fossilize {

// Puts the pipeline's state over `base`. Fields that are dynamic or missing in the pipeline keep the value of `base`.
// `pass`: its render pass; nullptr for dynamic rendering. `ignored` gets state that has no effect here: polygon modes,
// logic operations, several views. Errors: InvalidInput for state that Vulkan forbids; Unsupported for blend operations
// and attachments that PipelineState lacks. (checkState() checks formats.)
Result<PipelineState> toPipelineState(const GraphicsPipeline &pipeline, const RenderPass *pass,
                                      const PipelineState &base, Ignored &ignored);

// Makes a pipeline with dynamic rendering that holds all of the state, without stages and layout. `lost` gets the
// fields of the state that Vulkan lacks.
GraphicsPipeline fromPipelineState(const PipelineState &state, Ignored &lost);

} // namespace dovetail::fossilize

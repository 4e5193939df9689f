// SPDX-License-Identifier: MIT
//
// The PipelineState that a captured pipeline comes to.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/read_object.h"

namespace dovetail::fossilize {

// What the pipeline says, put over `base`, which has the last word about what is dynamic or not said. `pass`: its
// render pass; nullptr for dynamic rendering. `ignored` gets what draws nothing here: polygon modes, logic operations,
// several views. Errors: InvalidInput for what no pipeline may say; Unsupported for blend operations and attachments
// beyond those of PipelineState. (Formats are checked by checkState().)
Result<PipelineState> toPipelineState(const GraphicsPipeline &pipeline, const RenderPass *pass,
                                      const PipelineState &base, Ignored &ignored);

// The other way: a pipeline with dynamic rendering that says all of the state; without stages and layout. `lost` gets
// the fields of the state that Vulkan does not have.
GraphicsPipeline fromPipelineState(const PipelineState &state, Ignored &lost);

} // namespace dovetail::fossilize

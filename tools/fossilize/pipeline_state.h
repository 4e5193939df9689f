// SPDX-License-Identifier: MIT
//
// What a captured pipeline comes to: a PipelineState, and a layout of the root table.
#pragma once

#include "src/state/pipeline_state.h"
#include "src/state/user_data_nodes.h"
#include "tools/fossilize/read_object.h"

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

// The layout that the layer and replays give to a pipeline layout: root dword N for set N if that has descriptors, and
// push constants from dword 8 on, or behind more sets. In a set, bindings in ascending order, as user_data_layout.h
// sizes them; arrays are as long as the set says. `sets`: of the layout's setLayouts, nullptr for null. Errors:
// Unsupported for mutable descriptors and for sets of more than 256 MiB.
Result<UserDataNodes> layOutRootTable(const PipelineLayout &layout,
                                      const std::vector<const DescriptorSetLayout *> &sets);

} // namespace dovetail::fossilize

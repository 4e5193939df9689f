// SPDX-License-Identifier: MIT
//
// Pipelines made up from numbers, whose shaders suit each other in any combination: every stage writes all locations
// that others read. So a shader can stand in another pipeline, with other neighbours, another layout and another state.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/proof/scene/maker/random.h"
#include "variants/shader.h"

namespace dovetail {

struct RandomPipeline {
  ShaderSet shaders; // with the layout; its immutable samplers are zeros
  PipelineState state;
};

RandomPipeline randomPipeline(Random &random);

// Changes some of a pipeline's layout, state, stages and shaders. `keep`: a stage that stays, with its shader.
RandomPipeline changedPipeline(RandomPipeline pipeline, lgc::ShaderStage keep, Random &random);

} // namespace dovetail

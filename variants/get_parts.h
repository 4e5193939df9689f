// SPDX-License-Identifier: MIT
//
// The parts of a variant: main parts from their shaders, then what stands around them, whose keys follow from the state
// and from what the main parts say about themselves.
#pragma once

#include "gfx9-merged/stage_map.h"
#include "parts/part_maker.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include "variants/variant.h"
#include <vector>

namespace dovetail {

// The parts of one hardware program, in running order, and how each was come by.
struct ProgramParts {
  StageParts parts;
  std::vector<PartUse> uses;
};

// For each program its parts, those that can be shared between states. Merged programs have their glue. Thread-safe.
// Errors: those of the parts and of gfx9-merged/glue.h.
Result<std::vector<ProgramParts>> getJoinableParts(PartMaker &maker, const JoinTarget &target, const StageMap &stages,
                                                   const ShaderSet &shaders, const PipelineState &state);

// For each program one part that is all of it, or two with glue if the halves of a merged program differ in float mode.
// Errors: those of the parts.
Result<std::vector<ProgramParts>> getMonolithicParts(PartMaker &maker, const JoinTarget &target, const StageMap &stages,
                                                     const ShaderSet &shaders, const PipelineState &state);

// How a shader of a set is handed to the compiler: with the nodes of the root table that it can reach, and for the
// hardware stage that its successor makes it. Refers to the set.
ShaderSource sourceOf(const ShaderSet &shaders, lgc::ShaderStage stage);

} // namespace dovetail

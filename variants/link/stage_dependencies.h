// SPDX-License-Identifier: MIT
//
// Checks whether a compiled stage suits the pipeline that it is linked into. A stage's ELF has the key of its part,
// which is everything that the code depends on. Each field of the key has a row in a table. The row says how the field
// is compared with the pipeline and with the other stages, or why there is nothing to compare. A field without a row
// does not compile.
#pragma once

#include "src/abi/target_info.h"
#include "src/lgc/state/front_end_state.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/shader_facts.h"
#include <array>

namespace dovetail {

// Indexed by lgc::ShaderStage; default facts for stages that are not there.
using StageFacts = std::array<ShaderFacts, lgc::ShaderStageCount>;

// A pipeline of compiled stages.
struct CompiledPipeline {
  const ShaderSet &shaders; // made of the facts; includes the layout
  const StageFacts &facts;
  const CompiledStages &stages; // each one's part, and the key of that
  const PipelineState &state;   // canonical
  // What the pipeline says about compiling its shaders; nullptr: nothing.
  const lgc::FrontEndState *frontEnd;
  const TargetInfo &target;
};

// Errors: Unsupported, with both sides, if a stage was compiled for something else than this pipeline; the Errors of
// the keys of prologs and epilogs.
Result<void> checkDependencies(const CompiledPipeline &pipeline, lgc::ShaderStage stage);

} // namespace dovetail

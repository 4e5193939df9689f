// SPDX-License-Identifier: MIT
//
// Whether a compiled stage suits the pipeline that it is linked into. A stage's ELF has the key of its part in it,
// which is all that the code depends on; here, each field of the key has a row that says how it is compared with the
// pipeline and with the other stages, or why there is nothing to compare. A field without a row does not compile.
#pragma once

#include "src/abi/target_info.h"
#include "src/lgc/state/front_end_state.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/shader_facts.h"
#include <array>

namespace dovetail {

// By lgc::ShaderStage; of stages that are not there, the default.
using StageFacts = std::array<ShaderFacts, lgc::ShaderStageCount>;

// A pipeline of compiled stages.
struct CompiledPipeline {
  const ShaderSet &shaders; // made of the facts; with the layout
  const StageFacts &facts;
  const CompiledStages &stages; // of each its part, and what its key is
  const PipelineState &state;   // canonical
  // What the pipeline says about compiling its shaders; nullptr: nothing.
  const lgc::FrontEndState *frontEnd;
  const TargetInfo &target;
};

// Errors: Unsupported where a stage was compiled for something else than this pipeline, with both sides; the Errors of
// the keys of prologs and epilogs.
Result<void> checkDependencies(const CompiledPipeline &pipeline, lgc::ShaderStage stage);

} // namespace dovetail

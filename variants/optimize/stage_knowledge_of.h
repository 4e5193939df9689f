// SPDX-License-Identifier: MIT
//
// What follows for a shader from the stages around it and from the state: which of its outputs nobody wants, and which
// of its inputs are constant (StageKnowledge). It is made of what compiled main parts say about themselves. A mask of
// dropped outputs names only slots that the shader writes, so that shaders which differ in what they do not have share
// their code.
#pragma once

#include "parts/kinds/around/fragment_epilog.h"
#include "src/state/pipeline_state.h"
#include "src/state/stage_knowledge.h"
#include "variants/assemble/get_parts.h"

namespace dovetail {

// What a shader reads of the stage before it, a fragment shader's prolog included.
struct StageReads {
  SlotComponents vertex = {};
  SlotComponents patch = {};

  bool operator==(const StageReads &) const = default;
};

StageReads readsOf(const ShaderInterface &shader, const PipelineState &state);
// Whether one reads less than the other, and nothing that the other does not read.
bool readsLess(const StageReads &reads, const StageReads &than);

// Those of the constants that the shader reads, and for which the state cannot put anything else.
std::vector<ConstantDword> constantsFor(const ShaderInterface &shader, const std::vector<ConstantDword> &constants,
                                        const PipelineState &state);

// Drops what the next stage does not read. `main`: the shader itself, as it is without this knowledge.
void dropUnread(StageKnowledge &knowledge, const ShaderInterface &main, const StageReads &next);

// Of the last shader in front of the rasteriser: drops what the fixed function does not use under this state. `stages`:
// of the pipeline, which decide about what is drawn.
void dropForFixedFunction(StageKnowledge &knowledge, const ShaderInterface &main, const CompiledStages &stages,
                          const PipelineState &state);

// What the shader behind this one reads; nothing if there is none, or if nothing is rasterised.
StageReads nextReads(const CompiledStages &stages, lgc::ShaderStage stage, const PipelineState &state);

// Of a shader in front of the fragment shader: drops what neither the next one of `stages` nor the fixed function uses.
// `main`: the shader itself, as it is without this knowledge.
void dropForNeighbours(StageKnowledge &knowledge, const ShaderInterface &main, const CompiledStages &stages,
                       lgc::ShaderStage stage, const PipelineState &state);

// Of a fragment shader: drops what its epilog does not take. `epilog`: the one that `main` has.
void dropForEpilog(StageKnowledge &knowledge, const ShaderInterface &main, const FragmentEpilogKey &epilog);

} // namespace dovetail

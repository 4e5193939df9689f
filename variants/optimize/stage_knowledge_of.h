// SPDX-License-Identifier: MIT
//
// Derives what a shader may assume from the stages around it and from the state: which of its outputs nobody uses, and
// which of its inputs are constant (StageKnowledge). The source are the interfaces of compiled main parts. A mask of
// dropped outputs names only slots that the shader writes, so that shaders that differ only in slots that they do not
// have share their code.
#pragma once

#include "parts/kinds/around/fragment_epilog.h"
#include "src/state/pipeline_state.h"
#include "src/state/stage_knowledge.h"
#include "variants/assemble/get_parts.h"

namespace dovetail {

// The inputs that a shader reads of the stage before it, including those of a fragment shader's prolog.
struct StageReads {
  SlotComponents vertex = {};
  SlotComponents patch = {};

  bool operator==(const StageReads &) const = default;
};

StageReads readsOf(const ShaderInterface &shader, const PipelineState &state);
// Whether `reads` is a proper subset of `than`.
bool readsLess(const StageReads &reads, const StageReads &than);

// The constants that the shader reads and that the state cannot replace by anything else.
std::vector<ConstantDword> constantsFor(const ShaderInterface &shader, const std::vector<ConstantDword> &constants,
                                        const PipelineState &state);

// Drops outputs that the next stage does not read. `main`: the shader's interface without this knowledge.
void dropUnread(StageKnowledge &knowledge, const ShaderInterface &main, const StageReads &next);

// For the last shader in front of the rasteriser: drops outputs that the fixed function does not use under this state.
// `stages`: the pipeline's stages, which decide which primitives are drawn.
void dropForFixedFunction(StageKnowledge &knowledge, const ShaderInterface &main, const CompiledStages &stages,
                          const PipelineState &state);

// The inputs that the shader behind this one reads; nothing if there is none, or if nothing is rasterised.
StageReads nextReads(const CompiledStages &stages, lgc::ShaderStage stage, const PipelineState &state);

// For a shader in front of the fragment shader: drops outputs that neither the next stage nor the fixed function uses.
// `main`: the shader's interface without this knowledge.
void dropForNeighbours(StageKnowledge &knowledge, const ShaderInterface &main, const CompiledStages &stages,
                       lgc::ShaderStage stage, const PipelineState &state);

// For a fragment shader: drops outputs that its epilog does not take. `epilog`: that of `main`.
void dropForEpilog(StageKnowledge &knowledge, const ShaderInterface &main, const FragmentEpilogKey &epilog);

} // namespace dovetail

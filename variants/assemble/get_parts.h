// SPDX-License-Identifier: MIT
//
// The parts of a variant: main parts from their shaders, then what stands around them, whose keys follow from the state
// and from what the main parts say about themselves.
#pragma once

#include "gfx9-merged/stage_map.h"
#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include "variants/variant.h"
#include <array>
#include <vector>

namespace dovetail {

// The parts of one hardware program, in running order, and how each was come by.
struct ProgramParts {
  StageParts parts;
  std::vector<PartUse> uses;
};

// A shader of a set as it is compiled. Neither has a part if the set has no such shader.
struct CompiledStage {
  ShaderSource source;
  MadePart main;
  MadePart whole; // of a main part that nothing can be joined with (MainPartKey::isJoinable): the monolithic part
};

// By lgc::ShaderStage.
using CompiledStages = std::array<CompiledStage, lgc::ShaderStageCount>;

// What parts are made with.
struct PartsContext {
  PartMaker &maker;
  const PipelineState &state;
};

// Fills in the parts of a stage from its source. Errors: those of the parts.
Result<void> compileStage(const PartsContext &context, CompiledStage &stage);

// All shaders, with what the state changes in their code itself. Errors: those of the parts.
Result<CompiledStages> compileStages(const PartsContext &context, const ShaderSet &shaders);

// Whether a shader has to hand the primitive's number to the fragment shader, as that is compiled in `stages`: only the
// one in front of the rasteriser can, and a geometry shader writes the number itself.
bool exportsPrimitiveId(const MainPartKey &key, const CompiledStages &stages);

// One program, as parts of which most can be shared between states; as one part that is all of it, or two with glue if
// the halves of a merged program differ in float mode. The copy shader of a geometry shader leaves out what that was
// compiled to drop. Errors: those of the parts and of gfx9-merged/glue.h.
Result<ProgramParts> getJoinableProgram(const PartsContext &context, const HardwareProgram &hardware,
                                        const CompiledStages &stages);
Result<ProgramParts> getMonolithicProgram(const PartsContext &context, const HardwareProgram &hardware,
                                          const CompiledStages &stages);

// For each program its parts, those that can be shared between states. Merged programs have their glue. Thread-safe.
// Errors: those of the parts and of gfx9-merged/glue.h.
Result<std::vector<ProgramParts>> getJoinableParts(PartMaker &maker, const StageMap &stages, const ShaderSet &shaders,
                                                   const PipelineState &state);

// For each program one part, or two (getMonolithicProgram). Errors: those of the parts.
Result<std::vector<ProgramParts>> getMonolithicParts(PartMaker &maker, const StageMap &stages, const ShaderSet &shaders,
                                                     const PipelineState &state);

// How a shader of a set is handed to the compiler: with the nodes of the root table that it can reach, and for the
// hardware stage that its successor makes it. Refers to the set.
ShaderSource sourceOf(const ShaderSet &shaders, lgc::ShaderStage stage, std::string_view gpuName);

// The same for a shader whose successor is not in the set: `next` is the stage that is going to follow.
ShaderSource sourceInFrontOf(const ShaderSet &shaders, lgc::ShaderStage stage, lgc::ShaderStage next,
                             std::string_view gpuName);

} // namespace dovetail

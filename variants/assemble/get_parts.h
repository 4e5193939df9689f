// SPDX-License-Identifier: MIT
//
// Gets the parts of a variant: main parts from their shaders, then prologs and epilogs, whose keys follow from the
// state and from the main parts' interfaces.
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

// The parts of one hardware program, in running order, and how each was found or made.
struct ProgramParts {
  StageParts parts;
  std::vector<PartUse> uses;
};

// A shader of a set, compiled. Both parts are empty if the set has no such shader.
struct CompiledStage {
  ShaderSource source;
  MadePart main;
  MadePart whole; // the monolithic part, if the main part cannot be joined with anything (MainPartKey::isJoinable)
};

// By lgc::ShaderStage.
using CompiledStages = std::array<CompiledStage, lgc::ShaderStageCount>;

// The maker and the state for getting parts.
struct PartsContext {
  PartMaker &maker;
  const PipelineState &state;
  CodeTier tier = CodeTier::Llvm; // of main parts that are joined and that nobody has
};

// Fills in the parts of a stage from its source. Errors: those of the parts.
Result<void> compileStage(const PartsContext &context, CompiledStage &stage);

// Compiles all shaders, with the changes that the state makes in their code. Errors: those of the parts.
Result<CompiledStages> compileStages(const PartsContext &context, const ShaderSet &shaders);

// Whether a shader must hand the primitive's number on to the fragment shader, as compiled in `stages`. Only the shader
// in front of the rasteriser can; a geometry shader writes the number itself.
bool exportsPrimitiveId(const MainPartKey &key, const CompiledStages &stages);

// The parts of one program. getJoinableProgram(): as parts that mostly can be shared between states.
// getMonolithicProgram(): as one part, or as two with glue if the halves of a merged program differ in float mode. The
// copy shader of a geometry shader leaves out the outputs that the geometry shader was compiled to drop. Errors: those
// of the parts and of gfx9-merged/glue.h.
Result<ProgramParts> getJoinableProgram(const PartsContext &context, const HardwareProgram &hardware,
                                        const CompiledStages &stages);
Result<ProgramParts> getMonolithicProgram(const PartsContext &context, const HardwareProgram &hardware,
                                          const CompiledStages &stages);

// The parts of each program, which can be shared between states. Merged programs have their glue. Thread-safe. Errors:
// those of the parts and of gfx9-merged/glue.h.
Result<std::vector<ProgramParts>> getJoinableParts(PartMaker &maker, const StageMap &stages, const ShaderSet &shaders,
                                                   const PipelineState &state, CodeTier tier);

// For each program one part, or two (getMonolithicProgram). Errors: those of the parts.
Result<std::vector<ProgramParts>> getMonolithicParts(PartMaker &maker, const StageMap &stages, const ShaderSet &shaders,
                                                     const PipelineState &state);

// The source of a shader of a set for the compiler: with the forms of its resources in the layout, and for the hardware
// stage that its successor requires. Refers to the set.
ShaderSource sourceOf(const ShaderSet &shaders, lgc::ShaderStage stage, std::string_view gpuName);

// The same for a shader whose successor is not in the set: `next` is the stage that will follow.
ShaderSource sourceInFrontOf(const ShaderSet &shaders, lgc::ShaderStage stage, lgc::ShaderStage next,
                             std::string_view gpuName);

} // namespace dovetail

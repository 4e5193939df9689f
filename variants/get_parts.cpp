// SPDX-License-Identifier: MIT
#include "variants/get_parts.h"
#include "gfx9-merged/glue.h"
#include "variants/state_table.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// By ShaderStage; empty where there is no shader.
using MainParts = std::array<MadePart, lgc::ShaderStageCount>;

// One API shader's parts in running order.
using ShaderParts = std::vector<MadePart>;

const ShaderInterface &interfaceOf(const MainParts &mains, ShaderStage stage) {
  return *mains[size_t(stage)].part->interface;
}

bool readsPrimitiveId(const ShaderInterface &fragment) {
  return std::ranges::any_of(fragment.fragmentInputs,
                             [](const FragmentInput &input) { return input.location == PrimitiveIdParameter; });
}

// A shader of the set, with what the state changes in its code itself.
ShaderSource sourceUnder(const ShaderSet &shaders, ShaderStage stage, const PipelineState &state) {
  ShaderSource source = sourceOf(shaders, stage);
  if (stage == ShaderStage::Fragment)
    source.mainPartState = mainPartState(state, *shaders.reflection(stage));
  return source;
}

// A part for the shader of each API stage. The last stage comes first, because a fragment shader that reads the
// primitive's number makes the shader in front of the rasteriser export it. (A geometry shader is not asked: it writes
// the number itself.)
Result<MainParts> getMainParts(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state) {
  MainParts mains;
  bool exportPrimitiveId = false;
  for (size_t index = lgc::ShaderStageCount; index-- > 0;) {
    if (!shaders.shaders[index])
      continue;
    auto stage = static_cast<ShaderStage>(index);
    ShaderSource source = sourceUnder(shaders, stage, state);
    source.exportPrimitiveId = exportPrimitiveId;
    mains[index] = DOVETAIL_TRY(maker.getMainPart(source));
    if (stage == ShaderStage::Fragment)
      exportPrimitiveId = readsPrimitiveId(*mains[index].part->interface);
  }
  return mains;
}

void add(ShaderParts &parts, MadePart made) {
  if (made.part) // otherwise it is not needed
    parts.push_back(std::move(made));
}

// A main part with what the state and its neighbours put around it.
Result<ShaderParts> surround(PartMaker &maker, const MainParts &mains, ShaderStage stage, const PipelineState &state) {
  const ShaderInterface &main = interfaceOf(mains, stage);
  bool isTessellated = mains[size_t(ShaderStage::TessEval)].part != nullptr;
  ShaderParts parts;
  if (stage == ShaderStage::Vertex)
    add(parts, DOVETAIL_TRY(maker.getVertexProlog(main, state)));
  if (stage == ShaderStage::Geometry)
    add(parts, DOVETAIL_TRY(maker.getGeometryProlog(main, isTessellated, state)));
  if (stage == ShaderStage::Fragment)
    add(parts, DOVETAIL_TRY(maker.getFragmentProlog(main, state)));
  add(parts, mains[size_t(stage)]);
  if (stage == ShaderStage::TessControl)
    add(parts, DOVETAIL_TRY(maker.getTessControlEpilog(main, interfaceOf(mains, ShaderStage::TessEval))));
  if (stage == ShaderStage::Fragment)
    add(parts, DOVETAIL_TRY(maker.getFragmentEpilog(main, state)));
  return parts;
}

void add(ProgramParts &program, MadePart made) {
  program.parts.parts.push_back(made.part);
  program.uses.push_back({std::move(made.part), made.made, made.microseconds});
}

// The parts of both shaders with glue around them.
Result<ProgramParts> mergePrograms(PartMaker &maker, const JoinTarget &target, HardwareStage stage, ShaderParts first,
                                   ShaderParts second) {
  auto refs = [](const ShaderParts &parts) {
    std::vector<PartRef> list;
    for (const MadePart &made : parts)
      list.push_back(made.part);
    return list;
  };
  MergedParts merged = DOVETAIL_TRY(mergeHalves(stage, refs(first), refs(second), target, maker.cache()));
  ProgramParts program;
  program.parts.stage = stage;
  add(program, {merged.parts.front(), merged.madeGlue[0], merged.parts.front()->buildMicroseconds});
  for (MadePart &made : first)
    add(program, std::move(made));
  const PartRef &between = merged.parts[first.size() + 1];
  add(program, {between, merged.madeGlue[1], between->buildMicroseconds});
  for (MadePart &made : second)
    add(program, std::move(made));
  return program;
}

} // namespace

Result<std::vector<ProgramParts>> getJoinableParts(PartMaker &maker, const JoinTarget &target, const StageMap &stages,
                                                   const ShaderSet &shaders, const PipelineState &state) {
  MainParts mains = DOVETAIL_TRY(getMainParts(maker, shaders, state));

  // Beyond this point, it is known what each main part needs of its surroundings.
  std::vector<ProgramParts> programs;
  for (const HardwareProgram &hardware : stages) {
    if (hardware.isMerged()) {
      ShaderParts first = DOVETAIL_TRY(surround(maker, mains, hardware.shaders[0], state));
      ShaderParts second = DOVETAIL_TRY(surround(maker, mains, hardware.shaders[1], state));
      programs.push_back(
          DOVETAIL_TRY(mergePrograms(maker, target, hardware.stage, std::move(first), std::move(second))));
      continue;
    }
    ProgramParts &program = programs.emplace_back();
    program.parts.stage = hardware.stage;
    if (hardware.shaders.empty()) {
      add(program, DOVETAIL_TRY(maker.getGeometryCopy(interfaceOf(mains, ShaderStage::Geometry))));
      continue;
    }
    const ShaderStage stage = hardware.shaders.front();
    ShaderSource source = sourceUnder(shaders, stage, state);
    if (source.mainPartState != MainPartState()) {
      // Nothing can be kept of a main part that state changes, so the whole program is compiled.
      add(program, DOVETAIL_TRY(maker.getMonolithic(source, state)));
      continue;
    }
    for (MadePart &made : DOVETAIL_TRY(surround(maker, mains, stage, state)))
      add(program, std::move(made));
  }
  return programs;
}

Result<std::vector<ProgramParts>> getMonolithicParts(PartMaker &maker, const JoinTarget &target, const StageMap &stages,
                                                     const ShaderSet &shaders, const PipelineState &state) {
  MainParts mains = DOVETAIL_TRY(getMainParts(maker, shaders, state));
  const MadePart &evaluation = mains[size_t(ShaderStage::TessEval)];
  const ShaderInterface *evaluationInterface = evaluation.part ? &*evaluation.part->interface : nullptr;
  auto source = [&](ShaderStage stage) {
    ShaderSource source = sourceUnder(shaders, stage, state);
    source.exportPrimitiveId =
        shaders.shader(ShaderStage::Fragment) && readsPrimitiveId(interfaceOf(mains, ShaderStage::Fragment));
    return source;
  };
  auto whole = [&](ShaderStage stage) -> Result<MadePart> {
    // Nothing surrounds an evaluation or compute shader: its main part is the whole.
    if (stage == ShaderStage::TessEval || stage == ShaderStage::Compute)
      return mains[size_t(stage)];
    return maker.getMonolithic(source(stage), state, evaluationInterface);
  };

  std::vector<ProgramParts> programs;
  for (const HardwareProgram &hardware : stages) {
    ProgramParts program;
    program.parts.stage = hardware.stage;
    if (hardware.shaders.empty()) {
      add(program, DOVETAIL_TRY(maker.getGeometryCopy(interfaceOf(mains, ShaderStage::Geometry))));
    } else if (!hardware.isMerged()) {
      add(program, DOVETAIL_TRY(whole(hardware.shaders.front())));
    } else if (ShaderStage first = hardware.shaders[0], second = hardware.shaders[1];
               interfaceOf(mains, first).floatMode == interfaceOf(mains, second).floatMode) {
      add(program, DOVETAIL_TRY(maker.getMonolithicMerged(hardware.stage, source(first), source(second), state,
                                                          evaluationInterface)));
    } else {
      // A function has one float mode; glue changes it between the halves.
      ShaderParts firstHalf = {DOVETAIL_TRY(whole(first))}, secondHalf = {DOVETAIL_TRY(whole(second))};
      program = DOVETAIL_TRY(mergePrograms(maker, target, hardware.stage, std::move(firstHalf), std::move(secondHalf)));
    }
    programs.push_back(std::move(program));
  }
  return programs;
}

ShaderSource sourceOf(const ShaderSet &shaders, ShaderStage stage) {
  const Shader &shader = *shaders.shader(stage);
  ShaderSource source;
  source.name = shader.description.name;
  source.words = shader.description.words;
  source.entryPoint = shader.description.entryPoint;
  source.stage = stage;
  source.specConstants = shader.description.specConstants;
  source.colorInputs = shader.description.colorInputs;
  source.userDataNodes = nodesUsedBy(shader.reflection, shaders.userDataNodes);
  if (stage == ShaderStage::Vertex && shaders.shader(ShaderStage::TessControl))
    source.vertexStage = HardwareStage::Ls;
  else if (shaders.shader(ShaderStage::Geometry))
    source.vertexStage = HardwareStage::Es;
  return source;
}

} // namespace dovetail

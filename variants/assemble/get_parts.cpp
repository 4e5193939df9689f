// SPDX-License-Identifier: MIT
#include "variants/assemble/get_parts.h"
#include "gfx9-merged/glue.h"
#include "parts/kinds/around/compute_prolog.h"
#include "parts/kinds/main_part.h"
#include "src/base/asking_thread.h"
#include "variants/assemble/early_main_parts.h"
#include "variants/state/canonicalize.h"
#include "variants/state/state_table.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// One API shader's parts in running order.
using ShaderParts = std::vector<MadePart>;

const ShaderInterface &interfaceOf(const CompiledStages &stages, ShaderStage stage) {
  return *stages[size_t(stage)].main.part->interface;
}

void add(ShaderParts &parts, MadePart made) {
  if (made.part) // otherwise it is not needed
    parts.push_back(std::move(made));
}

const ShaderInterface *evaluationOf(const CompiledStages &stages) {
  const PartRef &evaluation = stages[size_t(ShaderStage::TessEval)].main.part;
  return evaluation ? &*evaluation->interface : nullptr;
}

// A main part with the prologs and epilogs that the state and the neighbours ask for.
Result<ShaderParts> surround(const PartsContext &context, const CompiledStages &stages, ShaderStage stage) {
  const MadePart &main = stages[size_t(stage)].main;
  ShaderParts parts;
  auto addAround = [&](PartRole role) -> Result<void> {
    for (PartKind kind : kindsAround(main.part->key.kind, role))
      add(parts,
          DOVETAIL_TRY(context.maker.getAround(kind, *main.part->interface, context.state, evaluationOf(stages))));
    return {};
  };
  DOVETAIL_CHECK(addAround(PartRole::Prolog));
  add(parts, main);
  DOVETAIL_CHECK(addAround(PartRole::Epilog));
  return parts;
}

void add(ProgramParts &program, MadePart made) {
  program.parts.parts.push_back(made.part);
  program.uses.push_back({std::move(made.part), made.made, made.microseconds});
}

// The parts of both shaders, with glue in front of each half.
Result<ProgramParts> mergePrograms(const PartsContext &context, HardwareStage stage, ShaderParts first,
                                   ShaderParts second) {
  auto refs = [](const ShaderParts &parts) {
    std::vector<PartRef> list;
    for (const MadePart &made : parts)
      list.push_back(made.part);
    return list;
  };
  MergedParts merged =
      DOVETAIL_TRY(mergeHalves(stage, refs(first), refs(second), context.maker.target(), context.maker.cache()));
  ProgramParts program;
  program.parts.stage = stage;
  add(program, {.part = merged.parts.front(),
                .made = merged.madeGlue[0],
                .microseconds = merged.parts.front()->buildMicroseconds});
  for (MadePart &made : first)
    add(program, std::move(made));
  const PartRef &between = merged.parts[first.size() + 1];
  add(program, {.part = between, .made = merged.madeGlue[1], .microseconds = between->buildMicroseconds});
  for (MadePart &made : second)
    add(program, std::move(made));
  return program;
}

Result<ProgramParts> getCopyProgram(const PartsContext &context, const CompiledStages &stages) {
  const CompiledStage &geometry = stages[size_t(ShaderStage::Geometry)];
  ProgramParts program;
  program.parts.stage = HardwareStage::Vs;
  add(program,
      DOVETAIL_TRY(context.maker.getGeometryCopy(*geometry.main.part->interface, geometry.source.key.knowledge)));
  return program;
}

// A program without API shader: the copy shader, or the null fragment shader.
Result<ProgramParts> getProgramOfNoShader(const PartsContext &context, const HardwareProgram &hardware,
                                          const CompiledStages &stages) {
  if (hardware.stage == HardwareStage::Vs)
    return getCopyProgram(context, stages);
  ProgramParts program;
  program.parts.stage = hardware.stage;
  add(program, DOVETAIL_TRY(context.maker.getNullFragment()));
  return program;
}

} // namespace

bool exportsPrimitiveId(const MainPartKey &key, const CompiledStages &stages) {
  const CompiledStage &fragment = stages[size_t(ShaderStage::Fragment)];
  auto isPrimitiveId = [](const auto &place) { return place.location == PrimitiveIdParameter; };
  if (key.hardwareStage != HardwareStage::Vs || !fragment.main.part)
    return false;
  // A packed input has another location.
  return std::ranges::any_of(fragment.main.part->interface->fragment.inputs, isPrimitiveId) ||
         std::ranges::any_of(fragment.source.key.knowledge.packedParameters, isPrimitiveId, &PackedParameter::declared);
}

// The monolithic part comes first, because making it also makes the main part.
Result<void> compileStage(const PartsContext &context, CompiledStage &stage) {
  stage.whole = {};
  if (!stage.source.key.isJoinable())
    stage.whole = DOVETAIL_TRY(context.maker.getMonolithic(stage.source, context.state));
  stage.main = DOVETAIL_TRY(context.maker.getMainPart(stage.source));
  return {};
}

namespace {

// Whether exportsPrimitiveId() may become true for a shader of the set.
bool mayExportPrimitiveId(const MainPartKey &key, const ShaderSet &shaders) {
  const spirv::Reflection *fragment = shaders.reflection(ShaderStage::Fragment);
  auto isPrimitiveId = [](const spirv::BuiltInVariable &variable) {
    return spv::BuiltIn(variable.builtIn) == spv::BuiltIn::PrimitiveId;
  };
  return key.hardwareStage == HardwareStage::Vs && fragment && std::ranges::any_of(fragment->builtIns, isPrimitiveId);
}

// Whether a stage takes so long that it pays to make it on a thread of its own, with a compiler and memory that are new
// to it. First code takes about a microsecond for each word of SPIR-V, and a part that is stored takes less.
bool isWorthThread(const ShaderSource &source) {
  constexpr size_t minWords = 2048;
  return source.key.tier == CodeTier::Llvm || source.words.size() >= minWords;
}

// Starts the other stages if the last stage does not exist, because then the others will not exist either. Stages that
// need nothing of the last one are started. The optimiser starts none: it has one thread, and nobody waits for it.
void startOthers(EarlyMainParts &early, const PartsContext &context, const ShaderSet &shaders,
                 const CompiledStages &stages) {
  size_t last = lgc::ShaderStageCount;
  while (last > 0 && !shaders.shaders[last - 1])
    --last;
  if (last == 0 || isOptimizingThread || context.maker.findMainPart(stages[last - 1].source.key))
    return;
  for (size_t index = 0; index + 1 < last; ++index)
    if (const ShaderSource &source = stages[index].source; shaders.shaders[index] && source.key.isJoinable() &&
                                                           isWorthThread(source) &&
                                                           !mayExportPrimitiveId(source.key, shaders))
      early.start(ShaderStage(index), source);
}

} // namespace

// The last stage comes first, because it decides who exports the primitive's number.
Result<CompiledStages> compileStages(const PartsContext &context, const ShaderSet &shaders) {
  CompiledStages stages;
  const MainPartStates states = mainPartStates(context.state, shaders);
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index)
    if (shaders.shaders[index]) {
      stages[index].source = sourceOf(shaders, ShaderStage(index), context.maker.gpuName());
      MainPartKey &key = stages[index].source.key;
      key.mainPartState = states[index];
      key.tier = key.isJoinable() ? context.tier : CodeTier::Llvm; // a monolithic part is LLVM's
    }

  EarlyMainParts early(context.maker);
  startOthers(early, context, shaders, stages);
  for (size_t index = lgc::ShaderStageCount; index-- > 0;) {
    if (!shaders.shaders[index])
      continue;
    CompiledStage &stage = stages[index];
    if (std::optional<Result<MadePart>> made = early.take(ShaderStage(index))) {
      stage.main = DOVETAIL_TRY(std::move(*made));
      continue;
    }
    stage.source.key.exportPrimitiveId = exportsPrimitiveId(stage.source.key, stages);
    DOVETAIL_CHECK(compileStage(context, stage));
  }
  return stages;
}

Result<ProgramParts> getJoinableProgram(const PartsContext &context, const HardwareProgram &hardware,
                                        const CompiledStages &stages) {
  if (hardware.shaders.empty())
    return getProgramOfNoShader(context, hardware, stages);
  const ShaderStage stage = hardware.shaders.front();
  if (hardware.isMerged()) {
    ShaderParts first = DOVETAIL_TRY(surround(context, stages, stage));
    ShaderParts second = DOVETAIL_TRY(surround(context, stages, hardware.shaders[1]));
    return mergePrograms(context, hardware.stage, std::move(first), std::move(second));
  }
  ProgramParts program;
  program.parts.stage = hardware.stage;
  if (const MadePart &whole = stages[size_t(stage)].whole; whole.part) {
    add(program, whole);
    return program;
  }
  for (MadePart &made : DOVETAIL_TRY(surround(context, stages, stage)))
    add(program, std::move(made));
  return program;
}

Result<ProgramParts> getMonolithicProgram(const PartsContext &context, const HardwareProgram &hardware,
                                          const CompiledStages &stages) {
  const ShaderInterface *evaluation = evaluationOf(stages);
  auto whole = [&](ShaderStage stage) -> Result<MadePart> {
    // Evaluation shaders, and most compute shaders, have no surroundings: the main part is the whole.
    const CompiledStage &compiled = stages[size_t(stage)];
    if (stage == ShaderStage::TessEval ||
        (stage == ShaderStage::Compute &&
         !makeComputePrologKey(*compiled.main.part->interface, context.state, context.maker.gpuName())))
      return compiled.main;
    if (compiled.whole.part)
      return compiled.whole;
    return context.maker.getMonolithic(compiled.source, context.state, evaluation);
  };

  if (hardware.shaders.empty())
    return getProgramOfNoShader(context, hardware, stages);
  ProgramParts program;
  program.parts.stage = hardware.stage;
  if (!hardware.isMerged()) {
    add(program, DOVETAIL_TRY(whole(hardware.shaders.front())));
    return program;
  }
  const ShaderStage first = hardware.shaders[0], second = hardware.shaders[1];
  if (interfaceOf(stages, first).floatMode == interfaceOf(stages, second).floatMode) {
    add(program,
        DOVETAIL_TRY(context.maker.getMonolithicMerged(hardware.stage, stages[size_t(first)].source,
                                                       stages[size_t(second)].source, context.state, evaluation)));
    return program;
  }
  // A function has one float mode, so glue must change the mode between the halves.
  ShaderParts firstHalf = {DOVETAIL_TRY(whole(first))}, secondHalf = {DOVETAIL_TRY(whole(second))};
  return mergePrograms(context, hardware.stage, std::move(firstHalf), std::move(secondHalf));
}

Result<std::vector<ProgramParts>> getJoinableParts(PartMaker &maker, const StageMap &programs, const ShaderSet &shaders,
                                                   const PipelineState &state, CodeTier tier) {
  const PartsContext context = {maker, state, tier};
  CompiledStages stages = DOVETAIL_TRY(compileStages(context, shaders));

  // Beyond this point, the surroundings that each main part needs are known.
  std::vector<ProgramParts> parts;
  for (const HardwareProgram &hardware : programs)
    parts.push_back(DOVETAIL_TRY(getJoinableProgram(context, hardware, stages)));
  return parts;
}

Result<std::vector<ProgramParts>> getMonolithicParts(PartMaker &maker, const StageMap &programs,
                                                     const ShaderSet &shaders, const PipelineState &state) {
  const PartsContext context = {maker, state};
  CompiledStages stages = DOVETAIL_TRY(compileStages(context, shaders));
  std::vector<ProgramParts> parts;
  for (const HardwareProgram &hardware : programs)
    parts.push_back(DOVETAIL_TRY(getMonolithicProgram(context, hardware, stages)));
  return parts;
}

namespace {

// The hardware stage in which a shader runs in front of another one.
HardwareStage hardwareStageInFrontOf(ShaderStage stage, ShaderStage next) {
  // This also holds in front of an evaluation shader, because a control shader is always between them.
  if (stage == ShaderStage::Vertex && (next == ShaderStage::TessControl || next == ShaderStage::TessEval))
    return HardwareStage::Ls;
  if ((stage == ShaderStage::Vertex || stage == ShaderStage::TessEval) && next == ShaderStage::Geometry)
    return HardwareStage::Es;
  return mainHardwareStage(stage);
}

} // namespace

ShaderSource sourceOf(const ShaderSet &shaders, ShaderStage stage, std::string_view gpuName) {
  return sourceInFrontOf(shaders, stage, shaders.stageBehind(stage), gpuName);
}

ShaderSource sourceInFrontOf(const ShaderSet &shaders, ShaderStage stage, ShaderStage next, std::string_view gpuName) {
  const Shader &shader = *shaders.shader(stage);
  ShaderSource source;
  source.name = shader.description.name;
  source.words = shader.description.words;
  MainPartKey &key = source.key;
  key.gpuName = gpuName;
  key.stage = stage;
  key.hardwareStage = hardwareStageInFrontOf(stage, next);
  key.words = shader.wordsHash;
  key.environment = shader.description.environment;
  key.entryPoint = shader.description.entryPoint;
  key.specConstants = shader.description.specConstants;
  key.colorInputs = shader.description.colorInputs;
  key.options = shader.description.options;
  key.deviceIndex = shader.description.deviceIndex;
  key.optimizationLevel = shader.description.optimizationLevel;
  key.resourceForms = resourceFormsOf(shader.reflection, shaders.userDataNodes(), shaders.immutableSamplers());
  canonicalize(key);
  return source;
}

} // namespace dovetail

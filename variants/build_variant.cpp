// SPDX-License-Identifier: MIT
//
// The build of a joined variant has two halves. The first finds or makes parts: main parts from their shaders, then
// prologs and epilogs, whose keys follow from the state and from what the main parts say about themselves. The second
// half joins what the first found, and no compiler runs in it.
#include "variants/build_variant.h"
#include "gfx9-merged/stage_map.h"
#include "merge/join.h"
#include "variants/canonicalize.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <chrono>
#include <iterator>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// The parts of one hardware program, in running order.
struct ProgramParts {
  StageParts parts;
  std::vector<PartUse> uses;

  // A part of nullptr is one that is not needed.
  void add(MadePart made) {
    if (!made.part)
      return;
    parts.parts.push_back(made.part);
    uses.push_back({std::move(made.part), made.made, made.microseconds});
  }
};

bool readsPrimitiveId(const ShaderInterface &fragment) {
  return std::ranges::any_of(fragment.fragmentInputs,
                             [](const FragmentInput &input) { return input.location == PrimitiveIdParameter; });
}

// A part for the shader of each program, in the order of the programs. The last program comes first, because a fragment
// shader that reads the primitive's number makes the vertex shader export it.
template <typename Get>
Result<std::vector<MadePart>> getForShaders(const StageMap &stages, const ShaderSet &shaders, const Get &get) {
  std::vector<MadePart> parts(stages.size());
  bool exportPrimitiveId = false;
  for (size_t index = stages.size(); index-- > 0;) {
    ShaderSource source = sourceOf(shaders, stages[index].shaders.front());
    source.exportPrimitiveId = exportPrimitiveId && source.stage == ShaderStage::Vertex;
    parts[index] = DOVETAIL_TRY(get(source));
    exportPrimitiveId |= readsPrimitiveId(*parts[index].part->interface);
  }
  return parts;
}

// A main part with what its state puts around it.
Result<ProgramParts> surround(PartMaker &maker, const HardwareProgram &program, MadePart main,
                              const PipelineState &state) {
  ProgramParts parts;
  parts.parts.stage = program.stage;
  const ShaderInterface &interface = *main.part->interface;
  switch (program.shaders.front()) {
  case ShaderStage::Vertex:
    parts.add(DOVETAIL_TRY(maker.getVertexProlog(interface, state)));
    parts.add(std::move(main));
    break;
  case ShaderStage::Fragment: {
    MadePart epilog = DOVETAIL_TRY(maker.getFragmentEpilog(interface, state));
    parts.add(std::move(main));
    parts.add(std::move(epilog));
    break;
  }
  default:
    parts.add(std::move(main));
    break;
  }
  return parts;
}

Result<std::vector<ProgramParts>> getJoinableParts(PartMaker &maker, const StageMap &stages, const ShaderSet &shaders,
                                                   const PipelineState &state) {
  std::vector<MadePart> mains = DOVETAIL_TRY(
      getForShaders(stages, shaders, [&](const ShaderSource &source) { return maker.getMainPart(source); }));

  // Beyond this point, it is known what each main part needs of its surroundings.
  std::vector<ProgramParts> programs;
  for (size_t index = 0; index < stages.size(); ++index)
    programs.push_back(DOVETAIL_TRY(surround(maker, stages[index], std::move(mains[index]), state)));
  return programs;
}

Result<std::vector<ProgramParts>> getMonolithicParts(PartMaker &maker, const StageMap &stages, const ShaderSet &shaders,
                                                     const PipelineState &state) {
  // Nothing surrounds a compute shader: its main part is the whole.
  auto getWhole = [&](const ShaderSource &source) {
    return source.stage == ShaderStage::Compute ? maker.getMainPart(source) : maker.getMonolithic(source, state);
  };
  std::vector<MadePart> wholes = DOVETAIL_TRY(getForShaders(stages, shaders, getWhole));
  std::vector<ProgramParts> programs(stages.size());
  for (size_t index = 0; index < stages.size(); ++index) {
    programs[index].parts.stage = stages[index].stage;
    programs[index].add(std::move(wholes[index]));
  }
  return programs;
}

// Joins the programs to one image and notes how long that took.
Result<VariantRef> joinPrograms(const JoinTarget &target, const VariantKey &key, std::vector<ProgramParts> programs,
                                const PipelineState &state, const BuildOptions &options) {
  auto variant = std::make_shared<Variant>();
  variant->key = key;
  variant->monolithic = options.monolithic;
  boost::container::static_vector<StageParts, MaxStagesPerImage> stages;
  for (ProgramParts &program : programs) {
    stages.push_back(std::move(program.parts));
    std::ranges::move(program.uses, std::back_inserter(variant->parts));
  }
  auto start = std::chrono::steady_clock::now();
  variant->image = DOVETAIL_TRY(join({std::span<const StageParts>(stages.data(), stages.size()), state, target}));
  variant->joinMicroseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return variant;
}

} // namespace

ShaderSource sourceOf(const ShaderSet &shaders, ShaderStage stage) {
  const Shader &shader = *shaders.shader(stage);
  ShaderSource source;
  source.name = shader.description.name;
  source.words = shader.description.words;
  source.entryPoint = shader.description.entryPoint;
  source.stage = stage;
  source.specConstants = shader.description.specConstants;
  source.userDataNodes = nodesUsedBy(shader.reflection, shaders.userDataNodes);
  return source;
}

PipelineState canonicalizeFor(const ShaderSet &shaders, const PipelineState &state) {
  return canonicalize(state, shaders.reflection(ShaderStage::Vertex), shaders.reflection(ShaderStage::Fragment));
}

VariantKey makeVariantKey(const ShaderSet &shaders, const PipelineState &canonicalState, const BuildOptions &options) {
  Hasher hasher;
  for (const ShaderRef &shader : shaders.shaders)
    hasher.add(shader ? shader->hash : Hash128());
  hasher.add(shaders.userDataNodes.size());
  for (const lgc::UserDataNode &node : shaders.userDataNodes) {
    hasher.add(node.type).add(node.set).add(node.binding);
    hasher.add(node.offsetInDwords).add(node.sizeInDwords).add(node.strideInDwords);
  }
  return {hasher.add(hashState(canonicalState)).add(options.monolithic).finish()};
}

Result<VariantRef> buildVariant(const BuildContext &context, const VariantKey &key, const ShaderSet &shaders,
                                const PipelineState &canonicalState, const BuildOptions &options) {
  StageMap stages = DOVETAIL_TRY(mapStages(shaders.stageMask(), context.joinTarget.hasMergedStages));
  if (std::ranges::any_of(stages, [](const HardwareProgram &program) { return program.shaders.size() != 1; }))
    return makeError(ErrorCode::Unsupported, "merged programs and copy shaders are not planned yet");

  // Beyond this point, each hardware program runs one API shader.
  std::vector<ProgramParts> programs =
      DOVETAIL_TRY(options.monolithic ? getMonolithicParts(context.partMaker, stages, shaders, canonicalState)
                                      : getJoinableParts(context.partMaker, stages, shaders, canonicalState));

  // Beyond this point, no compiler runs.
  return joinPrograms(context.joinTarget, key, std::move(programs), canonicalState, options);
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "variants/link/part_pipeline.h"
#include "src/base/field_bytes.h"
#include "variants/optimize/pack_parameters.h"
#include "variants/optimize/stage_knowledge_of.h"
#include "variants/state/canonicalize.h"
#include "variants/state/check_state.h"
#include "variants/state/state_table.h"
#include <algorithm>

namespace dovetail {

namespace {

using lgc::ShaderStage;

bool isPrimitiveId(const ParameterPlace &place) {
  return place.location == PrimitiveIdParameter;
}

// Every parameter that the shader reads, because the shaders in front will export them. Layer and viewport are left
// out: they have a value even if no shader writes them, so it is not known whether they are exported.
std::vector<ParameterExport> readParameters(const FragmentInterface &fragment) {
  std::vector<ParameterExport> parameters;
  for (const FragmentInput &input : fragment.inputs)
    if (input.location != LayerParameter && input.location != ViewportIndexParameter)
      parameters.push_back({input.location, uint8_t(parameters.size())});
  return parameters;
}

// The facts of a fragment shader, as a part for compiling the other shaders.
PartRef fragmentOf(const FsInputMappings &mappings) {
  auto part = std::make_shared<Part>();
  part->key.kind = PartKind::FragmentMain;
  ShaderInterface &interface = part->interface.emplace();
  interface.hardwareStage = HardwareStage::Ps;
  interface.inputComponents = mappings.components;
  interface.fragment.colorInputs = mappings.colorInputs;
  if (mappings.readsPrimitiveId)
    interface.fragment.inputs.push_back({.location = PrimitiveIdParameter, .flat = true, .pointCoord = false});
  return part;
}

Result<void> compileUnlessKnown(const PartsContext &context, CompiledStage &compiled,
                                const CheckShaderCache &checkCache) {
  const MainPartKey &key = compiled.source.key;
  const std::vector<uint8_t> file =
      checkCache && key.isJoinable() ? checkCache(key.stage, key.partKey().hash) : std::vector<uint8_t>();
  if (!file.empty()) {
    UnlinkedShader known = DOVETAIL_TRY(readShaderElf(file, context.maker.target()));
    if (known.part->key != key.partKey())
      return makeError(ErrorCode::InvalidInput, "the file that was found for {} is of another shader",
                       compiled.source.name);
    DOVETAIL_CHECK(
        context.maker.cache().getOrMake(key.partKey(), [&]() -> Result<PartRef> { return std::move(known.part); }));
  }
  return compileStage(context, compiled);
}

// A stage's file: of the main part, or of the monolithic part that the state requires. `plain`: the shader without
// knowledge.
Result<std::vector<uint8_t>> fileOf(const CompiledStage &compiled, const Part &plain, const Shader &shader,
                                    const TargetInfo &target) {
  ShaderFacts facts = factsOf(shader);
  if (compiled.source.key.knowledge != StageKnowledge())
    facts.plain = plain.interface;
  if (compiled.whole.part)
    facts.main = compiled.main.part->interface;
  return writeShaderElf(compiled.whole.part ? *compiled.whole.part : *compiled.main.part, facts, target);
}

} // namespace

FsInputMappings mappingsOf(const ShaderInterface &fragment, const MainPartKey &key) {
  FsInputMappings mappings;
  mappings.components = fragment.inputComponents;
  mappings.colorInputs = fragment.fragment.colorInputs;
  mappings.clampedLocations = clampedLocations(key.colorInputs);
  mappings.packed = key.knowledge.packedParameters;
  mappings.readsPrimitiveId =
      std::ranges::any_of(fragment.fragment.inputs,
                          [](const FragmentInput &input) { return input.location == PrimitiveIdParameter; }) ||
      std::ranges::any_of(mappings.packed, isPrimitiveId, &PackedParameter::declared);
  return mappings;
}

std::vector<uint8_t> encodeMappings(const FsInputMappings &mappings) {
  FieldWriter writer;
  const std::span<const std::byte> bytes = writer.add(mappings).bytes();
  const auto *first = reinterpret_cast<const uint8_t *>(bytes.data());
  return {first, first + bytes.size()};
}

Result<FsInputMappings> decodeMappings(std::span<const uint8_t> bytes) {
  FieldReader reader(bytes);
  FsInputMappings mappings;
  reader.read(mappings);
  constexpr uint8_t components = 4, locations = 128;
  const bool isInRange = std::ranges::all_of(mappings.packed, [](const PackedParameter &parameter) {
    return parameter.declared.component < components && parameter.packed.component < components &&
           parameter.declared.location < locations && parameter.packed.location >= PackedParameter0;
  });
  if (!reader.isGood() || !reader.isAtEnd() || !isInRange || !std::ranges::is_sorted(mappings.packed))
    return makeError(ErrorCode::InvalidInput, "the bytes are no input mappings of a fragment shader");
  return mappings;
}

Result<std::vector<uint8_t>> compileFragmentPart(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state,
                                                 const CheckShaderCache &checkCache) {
  const ShaderRef &shader = shaders.shader(ShaderStage::Fragment);
  if (!shader)
    return makeError(ErrorCode::InvalidInput, "there is no fragment shader");
  ShaderSet alone;
  alone.shaders[size_t(ShaderStage::Fragment)] = shader;
  alone.layout = shaders.layout;
  const PipelineState canonical = canonicalize(state, alone);
  const PartsContext context = {maker, canonical};
  CompiledStage compiled;
  compiled.source = sourceOf(alone, ShaderStage::Fragment, maker.gpuName());
  compiled.source.key.mainPartState = mainPartState(canonical, alone, ShaderStage::Fragment);
  const PartRef plain = DOVETAIL_TRY(maker.getInterface(compiled.source));

  // Drops outputs that nobody uses, and inputs that only these outputs need.
  const ShaderInterface &main = *plain->interface;
  StageKnowledge &knowledge = compiled.source.key.knowledge;
  dropForEpilog(knowledge, main, DOVETAIL_TRY(makeFragmentEpilogKey(main, canonical, maker.gpuName())));
  if (!canonical.rasterizerDiscardEnable && maker.packsInOut()) {
    const PartRef dropped = DOVETAIL_TRY(maker.getInterface(compiled.source));
    knowledge.packedParameters =
        packParameters(*dropped->interface, readParameters(dropped->interface->fragment), canonical.spriteCoordEnable);
  }
  DOVETAIL_CHECK(compileUnlessKnown(context, compiled, checkCache));
  return fileOf(compiled, *plain, *shader, maker.target());
}

Result<std::vector<std::vector<uint8_t>>> compileOtherPart(PartMaker &maker, const ShaderSet &shaders,
                                                           const PipelineState &state, const FsInputMappings &mappings,
                                                           const CheckShaderCache &checkCache) {
  ShaderSet others = shaders;
  others.shaders[size_t(ShaderStage::Fragment)] = nullptr;
  PipelineState canonical = canonicalize(state, others);
  // The set lacks the fragment shader, so canonicalize() has removed these fields.
  canonical.colorTwoSide = state.colorTwoSide && !mappings.colorInputs.empty();
  canonical.spriteCoordEnable = state.spriteCoordEnable;
  DOVETAIL_CHECK(checkTopology(others, canonical));
  const PartsContext context = {maker, canonical};
  CompiledStages plain;
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index)
    if (others.shaders[index]) {
      MainPartKey &key = (plain[index].source = sourceOf(others, ShaderStage(index), maker.gpuName())).key;
      key.mainPartState = mainPartState(canonical, others, ShaderStage(index));
      if (state.clampVertexColor && others.lastInFront() == ShaderStage(index))
        key.mainPartState.clampedOutputs = mappings.clampedLocations;
      plain[index].main.part = DOVETAIL_TRY(maker.getInterface(plain[index].source));
    }

  // Beyond this point, the outputs that each shader could write are known. The last stage comes first, because the
  // stages in front of it need to write only what it reads.
  CompiledStages stages = plain;
  stages[size_t(ShaderStage::Fragment)].main.part = fragmentOf(mappings);
  bool isLast = true;
  for (size_t index = size_t(ShaderStage::Fragment); index-- > 0;) {
    if (!others.shaders[index])
      continue;
    CompiledStage &compiled = stages[index];
    MainPartKey &key = compiled.source.key;
    dropForNeighbours(key.knowledge, *plain[index].main.part->interface, stages, ShaderStage(index), canonical);
    if (ShaderStage(index) == ShaderStage::TessControl)
      key.knowledge.patchControlPoints = canonical.patchControlPoints;
    if (isLast && !canonical.rasterizerDiscardEnable)
      key.knowledge.packedParameters = mappings.packed;
    isLast = false;
    key.exportPrimitiveId = exportsPrimitiveId(key, stages);
    DOVETAIL_CHECK(compileUnlessKnown(context, compiled, checkCache));
  }
  std::vector<std::vector<uint8_t>> files;
  for (size_t index = 0; index < size_t(ShaderStage::Fragment); ++index)
    if (others.shaders[index])
      files.push_back(
          DOVETAIL_TRY(fileOf(stages[index], *plain[index].main.part, *others.shaders[index], maker.target())));
  return files;
}

} // namespace dovetail

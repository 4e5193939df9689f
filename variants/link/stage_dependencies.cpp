// SPDX-License-Identifier: MIT
#include "variants/link/stage_dependencies.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/monolithic.h"
#include "src/state/state_fields.h"
#include "variants/optimize/stage_knowledge_of.h"
#include "variants/state/state_table.h"
#include <algorithm>
#include <fmt/ranges.h>

namespace dovetail {

namespace {

using lgc::ShaderStage;

// One stage of a pipeline, and the key that it would be compiled with here.
struct Place {
  const CompiledPipeline &pipeline;
  ShaderStage stage;
  MainPartKey here;       // without the fields that only the shader knows
  StageKnowledge allowed; // the assumptions that hold here

  const CompiledStage &compiled() const { return pipeline.stages[size_t(stage)]; }
  const MainPartKey &key() const { return compiled().source.key; }
  const StageKnowledge &knowledge() const { return key().knowledge; }
  const Shader &shader() const { return *pipeline.shaders.shader(stage); }
  const ShaderFacts &facts() const { return pipeline.facts[size_t(stage)]; }
};

// How both sides differ, as a continuation of "was compiled …"; empty if they are equal.
using Difference = std::string;
using Compare = Difference (*)(const Place &place);

struct DependencyRow {
  std::string_view field;
  Compare compare; // nullptr: the field belongs to the shader, and there is nothing to compare it with
};

// Compares with what the pipeline of the link says about this shader's compile.
template <typename Value>
Difference unlessSaid(const Place &place, std::string_view what, const Value &compiled, const Value &said) {
  return !place.pipeline.frontEnd || compiled == said ? ""
                                                      : fmt::format("with other {} than the pipeline has for it", what);
}

std::string listOf(const ResourceForms &forms, uint32_t set, uint32_t binding) {
  std::vector<std::string> names;
  for (const ResourceForm &form : forms)
    if (form.set == set && form.binding == binding)
      names.push_back(form.kind == ResourceFormKind::YcbcrConversion
                          ? fmt::format("{} (0x{:x}, of element {})", toString(form.kind), form.content, form.element)
                          : std::string(toString(form.kind)));
  return names.empty() ? "an ordinary descriptor in a table" : fmt::format("{}", fmt::join(names, " and "));
}

Difference compareResourceForms(const Place &place) {
  const ResourceForms &compiled = place.key().resourceForms, &here = place.here.resourceForms;
  const auto [one, other] = std::ranges::mismatch(compiled, here);
  if (one == compiled.end() && other == here.end())
    return "";
  const ResourceForm &first = other == here.end() || (one != compiled.end() && *one < *other) ? *one : *other;
  return fmt::format("for set {} binding {} as {}, and the layout of the pipeline has {}", first.set, first.binding,
                     listOf(compiled, first.set, first.binding), listOf(here, first.set, first.binding));
}

Difference compareMainPartState(const Place &place) {
  const MainPartState here = mainPartState(place.pipeline.state, place.pipeline.shaders, place.stage);
  return place.key().mainPartState == here ? ""
                                           : "for another state, and the state of the pipeline changes its own code";
}

Difference compareDeviceIndex(const Place &place) {
  const lgc::FrontEndState *said = place.pipeline.frontEnd;
  const uint32_t compiled = place.key().deviceIndex;
  // Code that was not compiled for one device takes the number from user data.
  if (!said || compiled == lgc::DeviceIndexOfDriver || compiled == said->deviceIndex)
    return "";
  return fmt::format("for device {} of the group, and the pipeline is for {}", compiled,
                     said->deviceIndex == lgc::DeviceIndexOfDriver ? "any" : std::to_string(said->deviceIndex));
}

Difference comparePrimitiveId(const Place &place) {
  if (!exportsPrimitiveId(place.key(), place.pipeline.stages) || place.key().exportPrimitiveId)
    return "";
  return "not to hand on the primitive's number, which the fragment shader reads";
}

Difference compareHardwareStage(const Place &place) {
  const HardwareStage here = place.here.hardwareStage;
  const HardwareStage compiled = place.compiled().main.part->interface->hardwareStage;
  return compiled == here && place.key().hardwareStage == here
             ? ""
             : fmt::format("to run as {}, and has to run as {} here", toString(compiled), toString(here));
}

Difference compareGpu(const Place &place) {
  const std::string &compiled = place.key().gpuName, &here = place.here.gpuName;
  return compiled == here ? "" : fmt::format("for {}, and is linked for {}", compiled, here);
}

// One row for each field of MainPartKey.
constexpr DependencyRow KeyRows[] = {
    {"gpuName", compareGpu},
    {"stage", nullptr}, // it decides the shader's place
    {"hardwareStage", compareHardwareStage},
    {"words", nullptr},
    {"environment", nullptr},
    {"entryPoint", nullptr},
    {"specConstants", nullptr},
    {"resourceForms", compareResourceForms},
    {"options",
     [](const Place &place) {
       const lgc::FrontEndState *said = place.pipeline.frontEnd;
       return unlessSaid(place, "shader options", place.key().options,
                         said ? said->shaderOptions[size_t(place.stage)] : lgc::ShaderOptions());
     }},
    {"deviceIndex", compareDeviceIndex},
    {"optimizationLevel",
     [](const Place &place) {
       const lgc::FrontEndState *said = place.pipeline.frontEnd;
       return unlessSaid(place, "optimisation", place.key().optimizationLevel,
                         said ? said->options.optimizationLevel : 0);
     }},
    {"colorInputs",
     [](const Place &place) {
       const lgc::FrontEndState *said = place.stage == ShaderStage::Fragment ? place.pipeline.frontEnd : nullptr;
       const auto &compiled = place.key().colorInputs;
       return unlessSaid(place, "colours of GL's", compiled, said ? said->options.colorInputs : compiled);
     }},
    {"mainPartState", compareMainPartState},
    {"knowledge", nullptr}, // see KnowledgeRows
    {"exportPrimitiveId", comparePrimitiveId},
    {"tier", nullptr}, // both tiers compute the same
};

// The first component that is in the first mask but not in the second.
std::optional<ParameterPlace> firstBeyond(const SlotComponents &components, const SlotComponents &allowed) {
  for (size_t slot = 0; slot < components.size(); ++slot)
    if (const uint8_t beyond = components[slot] & ~allowed[slot])
      return ParameterPlace{uint8_t(slot), uint8_t(std::countr_zero(beyond))};
  return std::nullopt;
}

std::string nameOfOutput(ShaderStage stage, ParameterPlace place) {
  const unsigned slot = place.location;
  const char component = "xyzw"[place.component & 3];
  if (stage == ShaderStage::Fragment) {
    if (slot == DepthOutputSlot || slot == StencilOutputSlot || slot == SampleMaskOutputSlot)
      return slot == DepthOutputSlot ? "depth" : slot == StencilOutputSlot ? "stencil" : "the sample mask";
    return fmt::format("{} of colour {}{}", component, slot % MaxColorTargets,
                       slot < MaxColorTargets ? "" : ", second source");
  }
  if (slot >= GenericSlot && slot < GenericSlot + MaxGenericSlots)
    return fmt::format("{} of location {}", component, slot - GenericSlot);
  return slot == PositionSlot ? fmt::format("{} of gl_Position", component)
                              : fmt::format("{} of built-in outputs {}", component, slot);
}

Difference compareDropped(const Place &place, const SlotComponents &dropped, const SlotComponents &allowed) {
  const std::optional<ParameterPlace> first = firstBeyond(dropped, allowed);
  return first ? fmt::format("not to write {}, which the pipeline reads", nameOfOutput(place.stage, *first)) : "";
}

Difference compareDroppedOutputs(const Place &place) {
  return compareDropped(place, place.knowledge().droppedOutputs, place.allowed.droppedOutputs);
}

Difference compareDroppedPatchOutputs(const Place &place) {
  const std::optional<ParameterPlace> first =
      firstBeyond(place.knowledge().droppedPatchOutputs, place.allowed.droppedPatchOutputs);
  return first ? fmt::format("not to write {} of patch location {}, which the pipeline reads",
                             "xyzw"[first->component & 3], int(first->location) - int(PatchGenericSlot))
               : "";
}

// The epilog may depend on whether the shader has a colour, even if it takes nothing of it.
Difference compareKeptColors(const Place &place) {
  const StageKnowledge &knowledge = place.knowledge();
  for (unsigned color = ColorOutputSlot; color < DepthOutputSlot; ++color)
    if (knowledge.droppedOutputs[color] != 0 && (place.allowed.keptColors & ~knowledge.keptColors) >> color & 1)
      return fmt::format("to have no colour {}, for which the state of the pipeline asks", color % MaxColorTargets);
  return "";
}

Difference compareFixedFunctionOutputs(const Place &place) {
  return compareDropped(place, place.knowledge().droppedFixedFunctionOutputs,
                        place.allowed.droppedFixedFunctionOutputs);
}

Difference compareTransformFeedback(const Place &place) {
  return place.knowledge().dropsTransformFeedback && !place.allowed.dropsTransformFeedback
             ? "without transform feedback, which the state of the pipeline has on"
             : "";
}

Difference comparePatchControlPoints(const Place &place) {
  const uint32_t compiled = place.knowledge().patchControlPoints, here = place.pipeline.state.patchControlPoints;
  return compiled == 0 || compiled == here
             ? ""
             : fmt::format("for patches of {} vertices, and the state of the pipeline has {}", compiled, here);
}

std::string listOf(const std::vector<PackedParameter> &packed) {
  std::vector<std::string> places;
  for (const PackedParameter &parameter : packed)
    places.push_back(fmt::format("{}.{}", parameter.declared.location, "xyzw"[parameter.declared.component & 3]));
  return places.empty() ? "no locations" : fmt::format("locations {}", fmt::join(places, ", "));
}

// Compared only once, for the fragment shader.
Difference comparePackedParameters(const Place &place) {
  const std::optional<ShaderStage> last = place.pipeline.shaders.lastInFront();
  if (place.stage != ShaderStage::Fragment || !last || place.pipeline.state.rasterizerDiscardEnable)
    return "";
  const auto &read = place.knowledge().packedParameters;
  const auto &written = place.pipeline.stages[size_t(*last)].source.key.knowledge.packedParameters;
  return read == written
             ? ""
             : fmt::format("to read {} packed, and {} was compiled to pack {}, or in another order", listOf(read),
                           place.pipeline.shaders.shader(*last)->description.name, listOf(written));
}

// Files to be linked cannot prove that these hold.
Difference compareConstantInputs(const Place &place) {
  return place.knowledge().constantInputs.empty() ? "" : "for inputs that are constant";
}
Difference compareInlinableUniforms(const Place &place) {
  return place.knowledge().inlinableUniforms.empty() ? "" : "for uniforms of known value";
}

// One row for each field of StageKnowledge.
constexpr DependencyRow KnowledgeRows[] = {
    {"droppedOutputs", compareDroppedOutputs},
    {"droppedPatchOutputs", compareDroppedPatchOutputs},
    {"keptColors", compareKeptColors},
    {"droppedFixedFunctionOutputs", compareFixedFunctionOutputs},
    {"dropsTransformFeedback", compareTransformFeedback},
    {"constantInputs", compareConstantInputs},
    {"inlinableUniforms", compareInlinableUniforms},
    {"patchControlPoints", comparePatchControlPoints},
    {"packedParameters", comparePackedParameters},
};

template <HasFields Struct, size_t Count> consteval bool hasRowForEachField(const DependencyRow (&rows)[Count]) {
  constexpr auto fields = fieldNamesOf(static_cast<const Struct *>(nullptr));
  return std::ranges::equal(rows, fields, {}, &DependencyRow::field);
}
static_assert(hasRowForEachField<MainPartKey>(KeyRows));
static_assert(hasRowForEachField<StageKnowledge>(KnowledgeRows));

// The assumptions that a stage may make in this pipeline. Not needed for a stage that makes none.
Result<StageKnowledge> allowedKnowledge(const CompiledPipeline &pipeline, ShaderStage stage) {
  StageKnowledge allowed;
  const Boxed<ShaderInterface> &plain = pipeline.facts[size_t(stage)].plain;
  if (!plain)
    return allowed;
  if (stage == ShaderStage::Fragment)
    dropForEpilog(allowed, *plain,
                  DOVETAIL_TRY(makeFragmentEpilogKey(*plain, pipeline.state, pipeline.target.gpuName)));
  else
    dropForNeighbours(allowed, *plain, pipeline.stages, stage, pipeline.state);
  return allowed;
}

// A monolithic part is made for one state; its prologs and epilogs must be the same here.
Result<Difference> compareWhole(const Place &place) {
  const PartRef &whole = place.compiled().whole.part;
  if (!whole)
    return Difference();
  const std::optional<MonolithicKey> compiled = decodeKey<MonolithicKey>(whole->keyFields);
  if (!compiled || !place.facts().main)
    return Difference("as a whole, and does not say of what");
  const MonolithicKey here =
      DOVETAIL_TRY(makeMonolithicKey(place.key(), {*place.facts().main, place.pipeline.state, place.pipeline.target}));
  if (encodeKey(*compiled) == encodeKey(here))
    return Difference();
  const std::string &name = place.facts().name;
  return fmt::format("as {}, and the state of the pipeline asks for {}", describe(*compiled, name),
                     describe(here, name));
}

} // namespace

Result<void> checkDependencies(const CompiledPipeline &pipeline, ShaderStage stage) {
  const Place place = {pipeline, stage, sourceOf(pipeline.shaders, stage, pipeline.target.gpuName).key,
                       DOVETAIL_TRY(allowedKnowledge(pipeline, stage))};
  Difference difference;
  auto compare = [&](std::span<const DependencyRow> rows) {
    for (const DependencyRow &row : rows)
      if (row.compare && difference.empty())
        difference = row.compare(place);
  };
  compare(KeyRows);
  compare(KnowledgeRows);
  if (difference.empty())
    difference = DOVETAIL_TRY(compareWhole(place));
  if (difference.empty())
    return {};
  return makeError(ErrorCode::Unsupported, "{} was compiled {}", place.facts().name, difference);
}

} // namespace dovetail

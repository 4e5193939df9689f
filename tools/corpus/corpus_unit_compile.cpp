// SPDX-License-Identifier: MIT
#include "tools/corpus/corpus_unit_compile.h"
#include "gfx9-merged/stage_map.h"
#include "merge/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/kinds/main_part.h"
#include "tools/dovetail/subject.h"
#include "tools/inputs/earlier_stages.h"
#include "tools/inputs/glsl.h"
#include "variants/build/default_state.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

using Json = nlohmann::ordered_json;
using Status = ShaderOutcome::Status;

std::string reasonOf(const Error &error, const std::string &name) {
  // The name is told elsewhere; without it, equal reasons are equal texts. An Error may name one shader of a file.
  // Of several diagnostics, the first counts.
  std::string text = error.text;
  if (text.starts_with(name + ": "))
    text.erase(0, name.size() + 2);
  else if (text.starts_with(name + ":"))
    text = "line " + text.substr(name.size() + 1, text.find('\n') - name.size() - 1);
  std::ranges::replace(text, '\n', ' ');
  return fmt::format("{}: {}", toString(error.code), text);
}

// Whether a pipeline can have this stage without those that may stand beside it.
bool standsAlone(lgc::ShaderStage stage) {
  return stage == lgc::ShaderStage::Vertex || stage == lgc::ShaderStage::Fragment || stage == lgc::ShaderStage::Compute;
}

// What no compiler can be blamed for.
Status statusOf(const Error &error) {
  return error.code == ErrorCode::InvalidInput ? Status::Invalid : Status::Failed;
}

// The shaders of the unit that are valid input; the others get their outcome here.
std::vector<ShaderRef> readUnit(const CorpusUnit &unit, const ReadOptions &read, std::vector<ShaderOutcome> &outcomes) {
  std::vector<ShaderRef> shaders;
  for (const std::string &file : unit.files) {
    Result<std::vector<ShaderBinary>> binaries = readShaderBinaries(file, read);
    if (!binaries) {
      outcomes.push_back({file, Status::Invalid, reasonOf(binaries.error(), file)});
      continue;
    }
    for (ShaderBinary &binary : *binaries) {
      Result<ShaderRef> shader = createShader(
          {binary.name, std::move(binary.words), binary.entryPoint, binary.stage, {}, {}, read.environment});
      if (shader) {
        shaders.push_back(std::move(*shader));
        continue;
      }
      outcomes.push_back({binary.name, statusOf(shader.error()), reasonOf(shader.error(), binary.name)});
    }
  }
  return shaders;
}

Result<VariantRef> compileSet(Device &device, const ShaderSet &set, const PipelineState &state,
                              const BuildOptions &options) {
  VariantRef variant = DOVETAIL_TRY(device.bind(set, state, options));
  DOVETAIL_CHECK(checkImage(*variant->image));
  DOVETAIL_TRY(writePalElf(*variant->image));
  return variant;
}

Result<VariantRef> compileTogether(Device &device, std::vector<ShaderRef> shaders, const BuildOptions &options) {
  DOVETAIL_CHECK(addEarlierStages(shaders));
  ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
  return compileSet(device, set, defaultState(set), options);
}

std::string hashOf(const UserDataNodes &layout) {
  Hasher hasher;
  for (const UserDataNode &node : layout)
    hasher.add(node.type)
        .add(node.set)
        .add(node.binding)
        .add(node.offsetInDwords)
        .add(node.sizeInDwords)
        .add(node.strideInDwords);
  return hasher.finish().toHex();
}

void addCompiled(const Variant &variant, const std::vector<ShaderRef> &shaders, std::vector<ShaderOutcome> &outcomes) {
  const std::string layout = hashOf(variant.image->layout ? variant.image->layout->nodes() : UserDataNodes());
  for (const ShaderRef &shader : shaders) {
    ShaderOutcome &outcome = outcomes.emplace_back();
    outcome.name = shader->description.name;
    const PartKind kind = mainPartKind(shader->description.stage);
    for (const PartUse &use : variant.partUses())
      if (use.part->key.kind == kind) {
        outcome.mainMicroseconds = use.part->buildMicroseconds;
        outcome.mainBytes = static_cast<uint32_t>(use.part->code.size());
        outcome.layout = layout;
        outcome.mainKey = use.part->key.hash.toHex();
        outcome.shader = shader->hash.toHex();
        if (use.part->interface)
          outcome.shader += toString(use.part->interface->hardwareStage);
      }
  }
}

InspectedPipeline inspected(const std::string &name, const Result<VariantRef> &variant, const Device &device,
                            const ShaderSet &shaders) {
  if (!variant)
    return {name, {}, reasonOf(variant.error(), name)};
  auto rows = programRows(*(*variant)->image, device.target(), workgroupThreads(shaders));
  if (!rows)
    return {name, {}, reasonOf(rows.error(), name)};
  return {name, std::move(*rows), {}};
}

// Empty for shaders that make no pipeline.
ShaderSet setOf(const std::vector<ShaderRef> &shaders) {
  return makeShaderSet(shaders).value_or(ShaderSet());
}

// A pipeline goes together as it was captured, or not at all.
UnitOutcome compilePipeline(Device &device, const CorpusUnit &unit, const BuildOptions &options,
                            const ReadOptions &read) {
  Result<PipelineInput> pipeline = readPipeline(unit.files.front(), read);
  if (!pipeline) {
    const std::string reason = reasonOf(pipeline.error(), unit.name);
    return {{{unit.name, statusOf(pipeline.error()), reason}}, {{unit.name, {}, reason}}};
  }
  const std::vector<ShaderRef> shaders = shadersOf(*pipeline);
  UnitOutcome outcome;
  Result<VariantRef> variant = compileSet(device, pipeline->shaders, pipeline->state, options);
  outcome.pipelines.push_back(inspected(unit.name, variant, device, pipeline->shaders));
  if (variant)
    addCompiled(**variant, shaders, outcome.shaders);
  else
    for (const ShaderRef &shader : shaders)
      outcome.shaders.push_back(
          {shader->description.name, statusOf(variant.error()), reasonOf(variant.error(), shader->description.name)});
  return outcome;
}

// Of one shader of a unit whose shaders do not go together; a module may have several.
std::string nameAlone(const Shader &shader) {
  return fmt::format("{}:{}:{}", shader.description.name, stageName(shader.description.stage),
                     shader.description.entryPoint);
}

} // namespace

UnitOutcome failedUnit(const CorpusUnit &unit, const std::string &reason) {
  UnitOutcome outcome;
  for (const std::string &file : unit.files)
    outcome.shaders.push_back({file, Status::Failed, reason});
  outcome.pipelines.push_back({unit.name, {}, reason});
  return outcome;
}

UnitOutcome compileUnit(Device &device, const CorpusUnit &unit, const BuildOptions &options, const ReadOptions &read) {
  if (namesPipeline(unit.files.front()))
    return compilePipeline(device, unit, options, read);
  UnitOutcome outcome;
  std::vector<ShaderOutcome> &outcomes = outcome.shaders;
  std::vector<ShaderRef> shaders = readUnit(unit, read, outcomes);
  if (shaders.empty()) {
    outcome.pipelines.push_back({unit.name, {}, outcomes.empty() ? "no shader" : outcomes.front().reason});
    return outcome;
  }
  Result<VariantRef> together = compileTogether(device, shaders, options);
  outcome.pipelines.push_back(inspected(unit.name, together, device, setOf(shaders)));
  if (together) {
    addCompiled(**together, shaders, outcomes);
    return outcome;
  }
  std::vector<ShaderOutcome> alone;
  bool someFailed = false;
  for (const ShaderRef &shader : shaders) {
    const bool tryAlone = shaders.size() > 1 && standsAlone(shader->description.stage);
    Result<VariantRef> variant = tryAlone ? compileTogether(device, {shader}, options) : together;
    if (tryAlone)
      outcome.pipelines.push_back(inspected(nameAlone(*shader), variant, device, setOf({shader})));
    if (variant) {
      addCompiled(**variant, {shader}, alone);
      continue;
    }
    const std::string &name = shader->description.name;
    alone.push_back({name, statusOf(variant.error()), reasonOf(variant.error(), name)});
    someFailed = true;
  }
  // What a module has for several pipelines is compiled one by one.
  if (!someFailed && makeShaderSet(shaders))
    for (ShaderOutcome &each : alone)
      each = {each.name, Status::Failed, reasonOf(together.error(), each.name)};
  outcomes.insert(outcomes.end(), alone.begin(), alone.end());
  return outcome;
}

std::string_view toString(Status status) {
  switch (status) {
  case Status::Compiled:
    return "compiled";
  case Status::Failed:
    return "failed";
  case Status::Invalid:
    return "not valid input";
  }
  return "?";
}

std::string printOutcome(const UnitOutcome &unit) {
  Json list = Json::array();
  for (const ShaderOutcome &outcome : unit.shaders)
    list.push_back({{"name", outcome.name},
                    {"status", static_cast<int>(outcome.status)},
                    {"reason", outcome.reason},
                    {"mainMicroseconds", outcome.mainMicroseconds},
                    {"mainBytes", outcome.mainBytes},
                    {"shader", outcome.shader},
                    {"layout", outcome.layout},
                    {"mainKey", outcome.mainKey}});
  const Json root = {{"shaders", std::move(list)}, {"pipelines", toJson(unit.pipelines)}};
  return root.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Result<UnitOutcome> parseOutcome(const std::string &text) {
  UnitOutcome unit;
  try {
    const Json root = Json::parse(text);
    for (const Json &entry : root.at("shaders"))
      unit.shaders.push_back({entry.at("name"), static_cast<Status>(entry.at("status").get<int>()), entry.at("reason"),
                              entry.at("mainMicroseconds"), entry.at("mainBytes"), entry.at("shader"),
                              entry.at("layout"), entry.at("mainKey")});
    for (const Json &entry : root.at("pipelines"))
      unit.pipelines.push_back(DOVETAIL_TRY(inspectedFromJson(entry, "a worker's reply")));
  } catch (const Json::exception &exception) {
    return makeError(ErrorCode::Internal, "a worker's reply is not understood: {}", exception.what());
  }
  return unit;
}

} // namespace dovetail

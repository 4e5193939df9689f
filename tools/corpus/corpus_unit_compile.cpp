// SPDX-License-Identifier: MIT
#include "tools/corpus/corpus_unit_compile.h"
#include "gfx9-merged/stage_map.h"
#include "merge/check_image.h"
#include "merge/pal_elf.h"
#include "parts/kinds/main_part.h"
#include "tools/inputs/earlier_stages.h"
#include "variants/build/default_state.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

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

// A pipeline goes together as it was captured, or not at all.
std::vector<ShaderOutcome> compilePipeline(Device &device, const CorpusUnit &unit, const BuildOptions &options,
                                           const ReadOptions &read) {
  Result<PipelineInput> pipeline = readPipeline(unit.files.front(), read);
  if (!pipeline)
    return {{unit.name, statusOf(pipeline.error()), reasonOf(pipeline.error(), unit.name)}};
  const std::vector<ShaderRef> shaders = shadersOf(*pipeline);
  std::vector<ShaderOutcome> outcomes;
  Result<VariantRef> variant = compileSet(device, pipeline->shaders, pipeline->state, options);
  if (variant)
    addCompiled(**variant, shaders, outcomes);
  else
    for (const ShaderRef &shader : shaders)
      outcomes.push_back(
          {shader->description.name, statusOf(variant.error()), reasonOf(variant.error(), shader->description.name)});
  return outcomes;
}

} // namespace

std::vector<ShaderOutcome> compileUnit(Device &device, const CorpusUnit &unit, const BuildOptions &options,
                                       const ReadOptions &read) {
  if (namesPipeline(unit.files.front()))
    return compilePipeline(device, unit, options, read);
  std::vector<ShaderOutcome> outcomes;
  std::vector<ShaderRef> shaders = readUnit(unit, read, outcomes);
  if (shaders.empty())
    return outcomes;
  Result<VariantRef> together = compileTogether(device, shaders, options);
  if (together) {
    addCompiled(**together, shaders, outcomes);
    return outcomes;
  }
  std::vector<ShaderOutcome> alone;
  bool someFailed = false;
  for (const ShaderRef &shader : shaders) {
    const bool tryAlone = shaders.size() > 1 && standsAlone(shader->description.stage);
    Result<VariantRef> variant = tryAlone ? compileTogether(device, {shader}, options) : together;
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
    for (ShaderOutcome &outcome : alone)
      outcome = {outcome.name, Status::Failed, reasonOf(together.error(), outcome.name)};
  outcomes.insert(outcomes.end(), alone.begin(), alone.end());
  return outcomes;
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

std::string printOutcomes(const std::vector<ShaderOutcome> &outcomes) {
  nlohmann::json list = nlohmann::json::array();
  for (const ShaderOutcome &outcome : outcomes)
    list.push_back({{"name", outcome.name},
                    {"status", static_cast<int>(outcome.status)},
                    {"reason", outcome.reason},
                    {"mainMicroseconds", outcome.mainMicroseconds},
                    {"mainBytes", outcome.mainBytes},
                    {"shader", outcome.shader},
                    {"layout", outcome.layout},
                    {"mainKey", outcome.mainKey}});
  return list.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<ShaderOutcome>> parseOutcomes(const std::string &text) {
  std::vector<ShaderOutcome> outcomes;
  try {
    for (const nlohmann::json &entry : nlohmann::json::parse(text))
      outcomes.push_back({entry.at("name"), static_cast<Status>(entry.at("status").get<int>()), entry.at("reason"),
                          entry.at("mainMicroseconds"), entry.at("mainBytes"), entry.at("shader"), entry.at("layout"),
                          entry.at("mainKey")});
  } catch (const nlohmann::json::exception &exception) {
    return makeError(ErrorCode::Internal, "a worker's reply is not understood: {}", exception.what());
  }
  return outcomes;
}

} // namespace dovetail

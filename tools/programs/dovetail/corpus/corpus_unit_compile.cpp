// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include "gfx9-merged/stage_map.h"
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "src/spirv/validate/valid_modules.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/state_file.h"
#include "tools/programs/dovetail/corpus/first_code_json.h"
#include "tools/programs/dovetail/inspect/inspect_variant.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

using Json = nlohmann::ordered_json;
// Whether a pipeline can have this stage without its optional partners.
bool standsAlone(lgc::ShaderStage stage) {
  return stage == lgc::ShaderStage::Vertex || stage == lgc::ShaderStage::Fragment || stage == lgc::ShaderStage::Compute;
}

// Invalid for errors that are no fault of the compiler.
ShaderOutcome::Status statusOf(const Error &error) {
  return error.code == ErrorCode::InvalidInput ? ShaderOutcome::Status::Invalid : ShaderOutcome::Status::Failed;
}

// Reads the unit's valid shaders; the others get their outcome here.
std::vector<ShaderRef> readUnit(const CorpusUnit &unit, const ReadOptions &read, std::vector<ShaderOutcome> &outcomes) {
  std::vector<ShaderRef> shaders;
  for (const std::string &file : unit.files) {
    Result<std::vector<ShaderBinary>> binaries = readShaderBinaries(file, read);
    if (!binaries) {
      outcomes.push_back({file, ShaderOutcome::Status::Invalid, reasonOf(binaries.error(), file)});
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

// `rows` is empty unless rows are wanted.
struct Compiled {
  VariantRef variant;
  std::vector<ProgramRow> rows;
};

class UnitCompiler {
public:
  UnitCompiler(Device &device, const CorpusUnit &unit, const BuildOptions &options, const ReadOptions &read,
               UnitRows rows)
      : m_device(device), m_unit(unit), m_options(options), m_read(read), m_wantsRows(rows == UnitRows::Wanted) {}

  // The pipeline is compiled as captured; its shaders are not tried one by one.
  UnitOutcome compilePipeline();
  UnitOutcome compileShaders();

private:
  Result<Compiled> compileSet(const ShaderSet &set, const PipelineState &state) const {
    VariantRef variant = DOVETAIL_TRY(m_device.bind(set, state, m_options));
    std::vector<ProgramRow> rows;
    if (m_wantsRows)
      rows = DOVETAIL_TRY(checkedRows(*variant, m_device, set));
    else
      DOVETAIL_CHECK(checkImage(*variant->image));
    DOVETAIL_TRY(writePalElf(*variant->image));
    return Compiled{std::move(variant), std::move(rows)};
  }

  Result<Compiled> compileTogether(std::vector<ShaderRef> shaders) const {
    DOVETAIL_CHECK(addEarlierStages(shaders));
    ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
    const PipelineState state = defaultState(set);
    return compileSet(set, m_unit.stateFile.empty() ? state : DOVETAIL_TRY(readStateFile(m_unit.stateFile, state)));
  }

  void addRows(const std::string &name, const Result<Compiled> &compiled) {
    if (m_wantsRows)
      m_outcome.pipelines.push_back(
          inspectedPipeline(name, compiled.map([](const Compiled &each) { return each.rows; })));
  }
  void addRefused(const std::string &reason) {
    if (m_wantsRows)
      m_outcome.pipelines.push_back({m_unit.name, {}, reason});
  }

  void tryEach(const std::vector<ShaderRef> &shaders, const Result<Compiled> &together);

  Device &m_device;
  const CorpusUnit &m_unit;
  const BuildOptions &m_options;
  const ReadOptions &m_read;
  const bool m_wantsRows;
  UnitOutcome m_outcome;
};

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

// A name for one shader of a unit whose shaders do not go together. It names the entry point, because a module may have
// several.
std::string nameAlone(const Shader &shader) {
  return fmt::format("{}:{}:{}", shader.description.name, stageName(shader.description.stage),
                     shader.description.entryPoint);
}

UnitOutcome UnitCompiler::compilePipeline() {
  Result<PipelineInput> pipeline = readPipeline(m_unit.files.front(), m_read);
  if (!pipeline) {
    const std::string reason = reasonOf(pipeline.error(), m_unit.name);
    m_outcome.shaders.push_back({m_unit.name, statusOf(pipeline.error()), reason});
    addRefused(reason);
    return std::move(m_outcome);
  }
  const std::vector<ShaderRef> shaders = shadersOf(*pipeline);
  storeValidModules(m_device, shaders);
  const Result<Compiled> compiled = compileSet(pipeline->shaders, pipeline->state);
  addRows(m_unit.name, compiled);
  if (compiled)
    addCompiled(*compiled->variant, shaders, m_outcome.shaders);
  else
    for (const ShaderRef &shader : shaders)
      m_outcome.shaders.push_back(
          {shader->description.name, statusOf(compiled.error()), reasonOf(compiled.error(), shader->description.name)});
  return std::move(m_outcome);
}

UnitOutcome UnitCompiler::compileShaders() {
  std::vector<ShaderOutcome> &outcomes = m_outcome.shaders;
  const std::vector<ShaderRef> shaders = readUnit(m_unit, m_read, outcomes);
  storeValidModules(m_device, shaders);
  const bool isWhole = outcomes.empty(); // no shader is refused
  if (!isWhole || shaders.empty())
    addRefused(isWhole ? "no shader" : outcomes.front().reason);
  if (shaders.empty())
    return std::move(m_outcome);
  const Result<Compiled> together = compileTogether(shaders);
  if (isWhole)
    addRows(m_unit.name, together);
  else if (shaders.size() == 1) // with a partner that is made up
    addRows(nameAlone(*shaders.front()), together);
  if (together)
    addCompiled(*together->variant, shaders, outcomes);
  else
    tryEach(shaders, together);
  return std::move(m_outcome);
}

// Compiles each shader alone, to find the faulty one.
void UnitCompiler::tryEach(const std::vector<ShaderRef> &shaders, const Result<Compiled> &together) {
  std::vector<ShaderOutcome> alone;
  bool someFailed = false;
  for (const ShaderRef &shader : shaders) {
    const bool tryAlone = shaders.size() > 1 && standsAlone(shader->description.stage);
    const Result<Compiled> compiled = tryAlone ? compileTogether({shader}) : together;
    if (tryAlone)
      addRows(nameAlone(*shader), compiled);
    if (compiled) {
      addCompiled(*compiled->variant, {shader}, alone);
      continue;
    }
    const std::string &name = shader->description.name;
    alone.push_back({name, statusOf(compiled.error()), reasonOf(compiled.error(), name)});
    someFailed = true;
  }
  // All shaders compile alone and form one pipeline: the pipeline fails, so all of them do. If they form no pipeline,
  // the module has shaders for several pipelines; then each shader counts alone.
  if (!someFailed && makeShaderSet(shaders))
    for (ShaderOutcome &each : alone)
      each = {each.name, ShaderOutcome::Status::Failed, reasonOf(together.error(), each.name)};
  m_outcome.shaders.insert(m_outcome.shaders.end(), alone.begin(), alone.end());
}

} // namespace

void storeValidModules(Device &device, const std::vector<ShaderRef> &shaders) {
  PartStore *store = device.partMaker().cache().store().get();
  for (const ShaderRef &shader : shaders)
    if (store)
      store->putValidModule(spirv::digestOf(shader->description.words, shader->description.environment));
}

UnitOutcome failedUnit(const CorpusUnit &unit, const std::string &reason) {
  UnitOutcome outcome;
  for (const std::string &file : unit.files)
    outcome.shaders.push_back({file, ShaderOutcome::Status::Failed, reason});
  outcome.pipelines.push_back({unit.name, {}, reason});
  return outcome;
}

UnitOutcome compileUnit(Device &device, const CorpusUnit &unit, const BuildOptions &options, const ReadOptions &read,
                        UnitRows rows) {
  const FirstCodeCounts before = device.partMaker().firstCodeCounts();
  UnitCompiler compiler(device, unit, options, read, rows);
  UnitOutcome outcome = namesPipeline(unit.files.front()) ? compiler.compilePipeline() : compiler.compileShaders();
  outcome.firstCode = device.partMaker().firstCodeCounts().since(before);
  return outcome;
}

std::string_view toString(ShaderOutcome::Status status) {
  switch (status) {
  case ShaderOutcome::Status::Compiled:
    return "compiled";
  case ShaderOutcome::Status::Failed:
    return "failed";
  case ShaderOutcome::Status::Invalid:
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
  const Json root = {{"shaders", std::move(list)},
                     {"pipelines", toJson(unit.pipelines)},
                     {"firstCode", firstCodeToJson<Json>(unit.firstCode)}};
  return root.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Result<UnitOutcome> parseOutcome(const std::string &text) {
  UnitOutcome unit;
  try {
    const Json root = Json::parse(text);
    for (const Json &entry : root.at("shaders"))
      unit.shaders.push_back({entry.at("name"), static_cast<ShaderOutcome::Status>(entry.at("status").get<int>()),
                              entry.at("reason"), entry.at("mainMicroseconds"), entry.at("mainBytes"),
                              entry.at("shader"), entry.at("layout"), entry.at("mainKey")});
    unit.firstCode = firstCodeFromJson(root.at("firstCode"));
    for (const Json &entry : root.at("pipelines"))
      unit.pipelines.push_back(DOVETAIL_TRY(inspectedFromJson(entry, "a worker's reply")));
  } catch (const Json::exception &exception) {
    return makeError(ErrorCode::Internal, "a worker's reply is not understood: {}", exception.what());
  }
  return unit;
}

} // namespace dovetail

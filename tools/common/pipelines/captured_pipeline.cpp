// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/fossilize/pipeline_state.h"
#include "tools/common/fossilize/root_table.h"
#include "tools/common/fossilize/sampler_words.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spec_constants.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "variants/state/check_state.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>
#include <map>
#include <mutex>

namespace dovetail {

namespace {

using namespace fossilize;

// A database has at most one index in a process, and the last one is kept. Forked workers inherit it.
Result<std::shared_ptr<const Database>> openDatabase(const std::string &path) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const Database>> known;
  static std::shared_ptr<const Database> last;
  std::lock_guard lock(mutex);
  std::shared_ptr<const Database> database = known[path].lock();
  if (!database)
    database = DOVETAIL_TRY(Database::open(path));
  known[path] = database;
  last = database;
  return database;
}

std::string nameOf(const Database &database, const Entry &entry) {
  return fmt::format("{}#{}", database.path(), ObjectHash{entry.hash}.toHex());
}

Result<const Entry *> select(const Database &database, const std::string &selector) {
  const auto pipelines = database.pipelines();
  if (selector.empty()) {
    if (pipelines.size() == 1)
      return &database.entries()[pipelines[0]];
    return makeError(ErrorCode::InvalidInput, "{}: has {} pipelines; {}#N or {}#HASH is one of them", database.path(),
                     pipelines.size(), database.path(), database.path());
  }
  constexpr size_t HashDigits = 16;
  const bool isHash = selector.size() == HashDigits;
  uint64_t number = 0;
  const char *end = selector.data() + selector.size();
  auto [stop, failure] = std::from_chars(selector.data(), end, number, isHash ? 16 : 10);
  if (failure != std::errc() || stop != end)
    return makeError(ErrorCode::InvalidInput, "{}#{}: expected a number, or a hash of 16 digits", database.path(),
                     selector);
  if (!isHash && number < pipelines.size())
    return &database.entries()[pipelines[number]];
  for (Kind kind : {Kind::GraphicsPipeline, Kind::ComputePipeline})
    if (const Entry *entry = isHash ? database.find(kind, {number}) : nullptr)
      return entry;
  return makeError(ErrorCode::InvalidInput, "{}: there is no pipeline {}; it has {}", database.path(), selector,
                   pipelines.size());
}

Result<lgc::ShaderStage> stageOf(VkShaderStageFlagBits stage) {
  switch (stage) {
  case VK_SHADER_STAGE_VERTEX_BIT:
    return lgc::ShaderStage::Vertex;
  case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    return lgc::ShaderStage::TessControl;
  case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    return lgc::ShaderStage::TessEval;
  case VK_SHADER_STAGE_GEOMETRY_BIT:
    return lgc::ShaderStage::Geometry;
  case VK_SHADER_STAGE_FRAGMENT_BIT:
    return lgc::ShaderStage::Fragment;
  case VK_SHADER_STAGE_COMPUTE_BIT:
    return lgc::ShaderStage::Compute;
  default:
    return makeError(ErrorCode::Unsupported, "shaders of VkShaderStageFlagBits {:#x}", uint32_t(stage));
  }
}

Result<std::vector<spirv::SpecConstant>> readSpecConstants(const SpecializationInfo &info) {
  std::vector<spirv::SpecConstant> constants;
  for (const MapEntry &entry : info.mapEntries) {
    if (entry.size > 8 || entry.offset > info.data.size() || entry.size > info.data.size() - entry.offset)
      return makeError(ErrorCode::InvalidInput, "specialisation constant {}: {} bytes at offset {} of {}",
                       entry.constantID, entry.size, entry.offset, info.data.size());
    spirv::SpecConstant &constant = constants.emplace_back();
    constant.id = entry.constantID;
    for (uint64_t byte = 0; byte < entry.size; ++byte)
      constant.value |= uint64_t(info.data[entry.offset + byte]) << (8 * byte);
  }
  return constants;
}

class PipelineReader {
public:
  PipelineReader(const Database &database, const Entry &entry) : m_database(database), m_entry(entry) {
    m_input.name = nameOf(database, entry);
  }

  Result<PipelineInput> read() {
    if (Kind(m_entry.kind) == Kind::ComputePipeline)
      DOVETAIL_CHECK(readCompute());
    else
      DOVETAIL_CHECK(readGraphics());
    m_input.ignored.assign(m_ignored.begin(), m_ignored.end());
    return std::move(m_input);
  }

private:
  template <typename Object> Result<Object> readOther(ObjectHash hash) {
    return readObject<Object>(m_database, hash, m_ignored);
  }

  Result<void> readCompute() {
    const auto pipeline = DOVETAIL_TRY(readOther<ComputePipeline>({m_entry.hash}));
    std::vector<ShaderRef> shaders = {DOVETAIL_TRY(readStage(pipeline.stage))};
    DOVETAIL_CHECK(makeSet(shaders, pipeline.layout));
    m_input.state = defaultState(m_input.shaders);
    return {};
  }

  Result<void> readGraphics() {
    const GraphicsPipeline pipeline = DOVETAIL_TRY(readLinkedPipeline(m_database, {m_entry.hash}, m_ignored));
    if (isLibrary(pipeline))
      return makeError(ErrorCode::InvalidInput, "{}: is a library of pipelines, which cannot be drawn with alone",
                       m_input.name);
    std::vector<ShaderRef> shaders;
    for (const ShaderStage &stage : pipeline.stages.value_or(std::vector<ShaderStage>()))
      shaders.push_back(DOVETAIL_TRY(readStage(stage)));
    DOVETAIL_CHECK(makeSet(shaders, pipeline.layout));
    std::optional<RenderPass> pass;
    if (pipeline.renderPass)
      pass = DOVETAIL_TRY(readOther<RenderPass>(pipeline.renderPass));
    m_input.state = DOVETAIL_TRY(
        named(toPipelineState(pipeline, pass ? &*pass : nullptr, defaultState(m_input.shaders), m_ignored)));
    return named(checkState(m_input.state));
  }

  Result<ShaderRef> readStage(const ShaderStage &stage) {
    ShaderDescription description;
    description.stage = DOVETAIL_TRY(named(stageOf(stage.stage)));
    description.name = fmt::format("{}:{}", m_input.name, stageName(description.stage));
    description.entryPoint = stage.name;
    if (!stage.module)
      return makeError(ErrorCode::Unsupported, "{}: the capture has only the name of the module", description.name);
    description.words = DOVETAIL_TRY(readOther<ShaderModule>(stage.module)).words;
    if (stage.specializationInfo)
      description.specConstants = DOVETAIL_TRY(named(readSpecConstants(*stage.specializationInfo)));
    return createShader(std::move(description));
  }

  Result<void> makeSet(const std::vector<ShaderRef> &shaders, ObjectHash layoutHash) {
    if (shaders.empty())
      return makeError(ErrorCode::InvalidInput, "{}: a pipeline without shaders", m_input.name);
    if (!layoutHash) {
      m_input.shaders = DOVETAIL_TRY(named(makeShaderSet(shaders)));
      return {};
    }
    const auto layout = DOVETAIL_TRY(readOther<PipelineLayout>(layoutHash));
    std::map<ObjectHash, DescriptorSetLayout> read;
    std::vector<const DescriptorSetLayout *> sets;
    for (ObjectHash hash : layout.setLayouts) {
      if (hash && !read.contains(hash))
        read[hash] = DOVETAIL_TRY(readOther<DescriptorSetLayout>(hash));
      sets.push_back(hash ? &read[hash] : nullptr);
      if (hash)
        DOVETAIL_CHECK(readSamplers(uint32_t(sets.size() - 1), read[hash]));
    }
    const RootTable table = DOVETAIL_TRY(named(layOutRootTable(layout, sets, m_samplers)));
    m_input.shaders = DOVETAIL_TRY(named(makeShaderSet(shaders, table.nodes, table.immutableSamplers)));
    return {};
  }

  Result<void> readSamplers(uint32_t set, const DescriptorSetLayout &layout) {
    for (const LayoutBinding &binding : layout.bindings) {
      const auto &samplers = binding.immutableSamplers;
      for (size_t element = 0; samplers && element < samplers->size(); ++element)
        if (const ObjectHash hash = (*samplers)[element]) {
          if (!m_samplers.contains(hash))
            m_samplers[hash] = DOVETAIL_TRY(readOther<Sampler>(hash));
          m_input.samplers.push_back({set, binding.binding, uint32_t(element), toSceneSampler(m_samplers[hash])});
        }
    }
    return {};
  }

  // Adds the pipeline's name to an Error of another module.
  template <typename Value> Result<Value> named(Result<Value> result) const {
    if (!result)
      return makeError(result.error().code, "{}: {}", m_input.name, result.error().text);
    return result;
  }

  const Database &m_database;
  const Entry &m_entry;
  PipelineInput m_input;
  Samplers m_samplers; // immutable ones
  Ignored m_ignored;
};

Result<PipelineInput> readCaptured(const std::string &name) {
  const std::optional<CapturedName> parts = splitCapturedName(name);
  if (!parts)
    return makeError(ErrorCode::InvalidInput, "{}: a pipeline is FILE.foz, FILE.foz#N, FILE.foz#HASH or FILE.pipe",
                     name);
  std::shared_ptr<const Database> database = DOVETAIL_TRY(openDatabase(parts->path));
  const Entry *entry = DOVETAIL_TRY(select(*database, parts->selector));
  return PipelineReader(*database, *entry).read();
}

// The samplers that the root table itself holds.
std::vector<PipelineSampler> immutableSamplersOf(const RootTable &table) {
  std::vector<PipelineSampler> samplers;
  for (const UserDataNode &node : table.nodes)
    if (node.type == UserDataNodeType::ImmutableSampler) {
      std::array<uint32_t, 4> words;
      const uint64_t stride = strideOf(node);
      for (uint64_t dword = 0; dword + words.size() <= node.sizeInDwords; dword += stride) {
        std::copy_n(table.immutableSamplers.begin() + ptrdiff_t(node.offsetInDwords + dword), words.size(),
                    words.begin());
        samplers.push_back({node.set, node.binding, uint32_t(dword / stride), emulator::toSceneSampler(words)});
      }
    }
  return samplers;
}

Result<PipelineInput> readPipeFile(const std::string &path, const ReadOptions &options) {
  PipeFile file = DOVETAIL_TRY(PipeFile::read(path));
  return readPipeFile(file, path, options);
}

} // namespace

Result<PipelineInput> readPipeFile(PipeFile &file, const std::string &path, const ReadOptions &options) {
  PipelineInput pipeline;
  pipeline.name = path;
  const std::vector<ShaderRef> shaders = DOVETAIL_TRY(file.readShaders(options));
  const std::optional<RootTable> layout = DOVETAIL_TRY(file.readLayout());
  pipeline.shaders =
      DOVETAIL_TRY(layout ? makeShaderSet(shaders, layout->nodes, layout->immutableSamplers) : makeShaderSet(shaders));
  if (layout)
    pipeline.samplers = immutableSamplersOf(*layout);
  pipeline.state = defaultState(pipeline.shaders);
  DOVETAIL_CHECK(file.readState(pipeline.state));
  if (Result<void> checked = checkState(pipeline.state); !checked)
    return makeError(checked.error().code, "{}: {}", path, checked.error().text);
  pipeline.gpuName = DOVETAIL_TRY(file.readGpu());
  pipeline.ignored = file.ignored();
  return pipeline;
}

Result<std::vector<std::string>> namesOfPipelines(const std::string &path) {
  std::shared_ptr<const Database> database = DOVETAIL_TRY(openDatabase(path));
  std::vector<std::string> names;
  for (uint32_t index : database->pipelines())
    names.push_back(nameOf(*database, database->entries()[index]));
  return names;
}

Result<StageSet> stagesOfPipeline(const std::string &name) {
  if (isPipeFile(name))
    return DOVETAIL_TRY(PipeFile::read(name)).stages();
  const std::optional<CapturedName> parts = splitCapturedName(name);
  if (!parts)
    return makeError(ErrorCode::InvalidInput, "{}: names no pipeline", name);
  std::shared_ptr<const Database> database = DOVETAIL_TRY(openDatabase(parts->path));
  const Entry *entry = DOVETAIL_TRY(select(*database, parts->selector));
  if (Kind(entry->kind) == Kind::ComputePipeline)
    return StageSet{lgc::ShaderStage::Compute};
  Ignored ignored;
  StageSet stages;
  const GraphicsPipeline pipeline = DOVETAIL_TRY(readLinkedPipeline(*database, {entry->hash}, ignored));
  for (const ShaderStage &stage : pipeline.stages.value_or(std::vector<ShaderStage>()))
    if (Result<lgc::ShaderStage> known = stageOf(stage.stage))
      stages.insert(*known);
  return stages;
}

Result<std::string> gpuOfPipeline(const std::string &name) {
  if (!isPipeFile(name))
    return std::string();
  return DOVETAIL_TRY(PipeFile::read(name)).readGpu();
}

Result<PipelineInput> readPipeline(const std::string &name, const ReadOptions &options) {
  PipelineInput pipeline = DOVETAIL_TRY(isPipeFile(name) ? readPipeFile(name, options) : readCaptured(name));
  if (options.specConstants.empty())
    return pipeline;
  std::vector<ShaderRef> shaders = shadersOf(pipeline);
  DOVETAIL_CHECK(specialize(shaders, options.specConstants));
  const ResourceLayoutRef layout = std::move(pipeline.shaders.layout);
  pipeline.shaders = DOVETAIL_TRY(makeShaderSet(shaders, UserDataNodes()));
  pipeline.shaders.layout = layout;
  return pipeline;
}

std::vector<ShaderRef> shadersOf(const PipelineInput &pipeline) {
  std::vector<ShaderRef> shaders;
  for (const ShaderRef &shader : pipeline.shaders.shaders)
    if (shader)
      shaders.push_back(shader);
  return shaders;
}

std::string describeIgnored(const PipelineInput &pipeline) {
  if (pipeline.ignored.empty())
    return "";
  return fmt::format("{}: ignored: {}\n", pipeline.name, fmt::join(pipeline.ignored, ", "));
}

} // namespace dovetail

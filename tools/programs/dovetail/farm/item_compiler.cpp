// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/farm/item_compiler.h"
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "parts/store/archive.h"
#include "parts/store/entry.h"
#include "tools/common/command/unit_link.h"
#include "tools/common/pipe-file/pipe_file.h"
#include "variants/assemble/get_parts.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include "variants/state/state_table.h"
#include <algorithm>
#include <cstdio>

namespace dovetail::farm {

namespace {

Result<PipelineInput> readText(std::string_view text) {
  PipeFile file = DOVETAIL_TRY(PipeFile::parse("item", text));
  return readPipeFile(file, "item");
}

// The main parts that the pipeline needs. A bind finds out later if a shader must export more; it asks for such parts
// itself.
std::vector<MainPartKey> mainPartsOf(const PipelineInput &pipeline) {
  const MainPartStates states = mainPartStates(canonicalize(pipeline.state, pipeline.shaders), pipeline.shaders);
  std::vector<MainPartKey> keys;
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index)
    if (pipeline.shaders.shaders[index]) {
      MainPartKey &key = keys.emplace_back(sourceOf(pipeline.shaders, lgc::ShaderStage(index), "").key);
      key.mainPartState = states[index];
    }
  return keys;
}

Result<void> makeOptimized(Device &device, const PipelineInput &pipeline, const Variant &joined) {
  const PipelineState state = canonicalize(pipeline.state, pipeline.shaders);
  const OptimizedBuild optimized =
      DOVETAIL_TRY(buildOptimizedVariant(device.partMaker(), makeOptimizedKey(pipeline.shaders, state, nullptr),
                                         pipeline.shaders, state, nullptr, joined, [] { return false; }));
  return optimized.variant ? checkImage(*optimized.variant->image) : Result<void>();
}

Result<void> make(Device &device, const PipelineInput &pipeline, ItemTier tier) {
  const VariantRef variant = DOVETAIL_TRY(device.bind(pipeline.shaders, pipeline.state));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return tier == ItemTier::Optimized ? makeOptimized(device, pipeline, *variant) : Result<void>();
}

} // namespace

Result<Device *> ItemCompiler::deviceFor(const std::string &gpu) {
  std::unique_ptr<Device> &device = m_devices[gpu];
  if (!device) {
    DeviceOptions options;
    options.gpuName = gpu;
    options.openedStore = std::make_shared<AskedStore>(gpu, m_collected);
    options.onLog = [](LogLevel, std::string_view text) {
      std::fprintf(stderr, "dovetail: warning: %.*s\n", int(text.size()), text.data());
    };
    device = DOVETAIL_TRY(Device::create(std::move(options)));
  }
  return device.get();
}

ItemCompiler::ReadPipeline ItemCompiler::read(const std::string &text) {
  const auto known = std::ranges::find(m_pipelines, text, &ReadPipeline::text);
  if (known != m_pipelines.end())
    return std::move(*known);
  ReadPipeline pipeline{text, readText(text), {}, {}};
  if (pipeline.input) {
    pipeline.mainParts = mainPartsOf(*pipeline.input);
    for (const ShaderRef &shader : shadersOf(*pipeline.input))
      pipeline.validModules.push_back(spirv::digestOf(shader->description.words, shader->description.environment));
  }
  return pipeline;
}

// Reading may fail, too, so it is part of the first item's step.
void ItemCompiler::readAll(const ItemUnit &unit) {
  std::vector<ReadPipeline> pipelines;
  for (size_t index = 0; index < unit.entries.size(); ++index)
    if (unit.entries[index].text == pipelines.size()) {
      beginStep(index);
      pipelines.push_back(read(unit.texts[pipelines.size()]));
      const std::vector<spirv::ModuleDigest> &valid = pipelines.back().validModules;
      m_collected.validModules.insert(m_collected.validModules.end(), valid.begin(), valid.end());
    }
  m_pipelines = std::move(pipelines);
}

void ItemCompiler::askForMainParts(const ItemUnit &unit) {
  std::vector<PartName> wanted;
  for (const ItemUnit::Entry &entry : unit.entries)
    if (const Result<Device *> device = deviceFor(entry.gpu))
      for (MainPartKey &key : m_pipelines[entry.text].mainParts) {
        key.gpuName = entry.gpu;
        if (const PartKey part = key.partKey(); !(*device)->partMaker().cache().find(part))
          wanted.push_back({entry.gpu, part});
      }
  std::ranges::sort(wanted, std::less<>());
  const auto isSame = [](const PartName &left, const PartName &right) { return !(left < right); };
  wanted.erase(std::unique(wanted.begin(), wanted.end(), isSame), wanted.end());
  askFor(std::move(wanted), m_collected);
}

Warmed ItemCompiler::compileItem(const ItemUnit::Entry &entry) {
  const Result<Device *> device = deviceFor(entry.gpu);
  if (!device)
    return {.reason = device.error().text};
  const Result<PipelineInput> &pipeline = m_pipelines[entry.text].input;
  const auto compileIt = [&]() -> std::string {
    if (!pipeline)
      return pipeline.error().text;
    const Result<void> made = make(**device, *pipeline, entry.tier);
    return made ? "" : made.error().text;
  };
  return warm(**device, compileIt, WarmFlush::Later);
}

std::string ItemCompiler::compile(const std::string &bytes) {
  const ItemUnit unit = decode<ItemUnit>(bytes).value_or(ItemUnit());
  m_collected = {};
  readAll(unit);
  askForMainParts(unit);
  UnitReply reply;
  for (size_t index = 0; index < unit.entries.size(); ++index) {
    beginStep(index);
    reply.items.push_back(compileItem(unit.entries[index]));
  }
  for (const auto &[part, gpu] : m_collected.parts)
    reply.parts.push_back({{gpu, part->key}, store::encodeEntry(archivedPart(*part))});
  reply.validModules = std::move(m_collected.validModules);
  return encode(reply);
}

} // namespace dovetail::farm

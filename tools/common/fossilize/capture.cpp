// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/capture.h"
#include "src/base/hash.h"
#include "tools/common/fossilize/pipeline_state.h"
#include "tools/common/fossilize/write_object.h"
#include "variants/c_api/convert/state_pairs.h"

namespace dovetail::fossilize {

namespace {

// Values of 32 bits, or of 64 if they need them. The module knows the constant's type.
SpecializationInfo specialize(const std::vector<CapturedSpecConstant> &constants) {
  SpecializationInfo info;
  for (const CapturedSpecConstant &constant : constants) {
    const unsigned bytes = constant.value >> 32 ? 8 : 4;
    info.mapEntries.push_back({uint32_t(info.data.size()), bytes, constant.id});
    for (unsigned byte = 0; byte < bytes; ++byte)
      info.data.push_back(uint8_t(constant.value >> (8 * byte)));
  }
  return info;
}

} // namespace

PipelineState stateOf(const dovetail_pipeline_state &from) {
  const auto read = [](auto &ours, const auto &theirs) {
    c_api::visitPairs(ours, theirs, []<typename Field>(const c_api::NamePair &, Field &field, uint32_t value) {
      field = static_cast<Field>(value);
    });
  };
  PipelineState state;
  for (size_t index = 0; index < from.vertex_binding_count; ++index)
    read(state.vertexBindings.emplace_back(), from.vertex_bindings[index]);
  for (size_t index = 0; index < from.vertex_attribute_count; ++index)
    read(state.vertexAttributes.emplace_back(), from.vertex_attributes[index]);
  read(state, from);
  for (size_t index = 0; index < MaxColorTargets; ++index)
    read(state.colorTargets[index], from.color_targets[index]);
  return state;
}

Result<std::unique_ptr<Capture>> Capture::create(const std::string &path) {
  std::unique_ptr<DatabaseWriter> writer = DOVETAIL_TRY(DatabaseWriter::open(path, DatabaseWriter::Mode::Replace));
  return std::unique_ptr<Capture>(new Capture(std::move(writer)));
}

Result<ObjectHash> Capture::add(const CapturedPipeline &captured) {
  if (captured.stages.empty())
    return makeError(ErrorCode::InvalidInput, "a pipeline without shaders");
  std::vector<ShaderStage> stages;
  for (const CapturedStage &from : captured.stages) {
    ShaderStage &stage = stages.emplace_back();
    stage.stage = from.stage;
    stage.name = from.entryPoint;
    stage.module = DOVETAIL_TRY(addObject(*m_writer, ShaderModule{0, {from.words.begin(), from.words.end()}}));
    if (!from.specConstants.empty())
      stage.specializationInfo = specialize(from.specConstants);
  }
  PipelineLayout layout;
  for (const CapturedSet &set : captured.setLayouts) {
    for (const Sampler &sampler : set.immutableSamplers)
      DOVETAIL_CHECK(addObject(*m_writer, sampler));
    layout.setLayouts.push_back(set.layout ? DOVETAIL_TRY(addObject(*m_writer, *set.layout)) : ObjectHash());
  }
  if (captured.pushConstantBytes > 0) {
    uint32_t stageFlags = 0;
    for (const ShaderStage &stage : stages)
      stageFlags |= stage.stage;
    layout.pushConstantRanges.push_back({stageFlags, captured.pushConstantBytes, 0});
  }
  const ObjectHash layoutHash = DOVETAIL_TRY(addObject(*m_writer, layout));

  WrittenObject written;
  Kind kind = Kind::GraphicsPipeline;
  if (captured.stages.front().stage == VK_SHADER_STAGE_COMPUTE_BIT) {
    kind = Kind::ComputePipeline;
    ComputePipeline pipeline;
    pipeline.layout = layoutHash;
    pipeline.stage = std::move(stages.front());
    written = writeObject(pipeline);
  } else {
    Ignored lost;
    GraphicsPipeline pipeline = fromPipelineState(captured.state, lost);
    pipeline.layout = layoutHash;
    pipeline.stages = std::move(stages);
    written = writeObject(pipeline);
  }
  if (!m_writer->has(kind, written.hash)) {
    DOVETAIL_CHECK(m_writer->write(kind, written.hash, written.payload));
    m_pipelines.fetch_add(1, std::memory_order_relaxed);
  }
  return written.hash;
}

} // namespace dovetail::fossilize

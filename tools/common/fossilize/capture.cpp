// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/capture.h"
#include "src/base/hash.h"
#include "tools/common/fossilize/pipeline_state.h"
#include "tools/common/fossilize/write_object.h"
#include "variants/c_api/include/dovetail_state.h"

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
  PipelineState state;
  for (size_t index = 0; index < from.vertex_binding_count; ++index) {
    const dovetail_vertex_binding &binding = from.vertex_bindings[index];
    state.vertexBindings.push_back(
        {binding.binding, binding.stride, VkVertexInputRate(binding.input_rate), binding.divisor});
  }
  for (size_t index = 0; index < from.vertex_attribute_count; ++index) {
    const dovetail_vertex_attribute &attribute = from.vertex_attributes[index];
    state.vertexAttributes.push_back(
        {attribute.location, attribute.binding, VkFormat(attribute.format), attribute.offset});
  }
  state.topology = VkPrimitiveTopology(from.topology);
  state.patchControlPoints = from.patch_control_points;
  state.tessellationDomainLowerLeft = from.tessellation_domain_lower_left;
  state.flatProvokingVertexLast = from.flat_provoking_vertex_last;
  state.depthClampEnable = from.depth_clamp_enable;
  state.rasterizerDiscardEnable = from.rasterizer_discard_enable;
  state.rasterizationSamples = from.rasterization_samples;
  state.sampleShadingEnable = from.sample_shading_enable;
  state.polygonStippleEnable = from.polygon_stipple_enable;
  state.colorTwoSide = from.color_two_side;
  state.flatShadeColors = from.flat_shade_colors;
  state.perSampleInterpolation = from.per_sample_interpolation;
  state.multisampleDisable = from.multisample_disable;
  state.barycentricOptimization = from.barycentric_optimization;
  state.layeredFramebuffer = from.layered_framebuffer;
  state.smoothing = from.smoothing;
  state.pointSmoothing = from.point_smoothing;
  state.spriteCoordEnable = from.sprite_coord_enable;
  state.spriteCoordLowerLeft = from.sprite_coord_lower_left;
  state.clampVertexColor = from.clamp_vertex_color;
  state.clipDistanceEnable = uint8_t(from.clip_distance_enable);
  state.transformFeedbackEnable = from.transform_feedback_enable;
  state.squareComputeWaves = from.square_compute_waves;
  for (size_t index = 0; index < MaxColorTargets; ++index) {
    const dovetail_color_target &target = from.color_targets[index];
    state.colorTargets[index] = {VkFormat(target.format),
                                 target.write_mask,
                                 target.blend_enable != 0,
                                 VkBlendFactor(target.src_color_blend_factor),
                                 VkBlendFactor(target.dst_color_blend_factor),
                                 VkBlendOp(target.color_blend_op),
                                 VkBlendFactor(target.src_alpha_blend_factor),
                                 VkBlendFactor(target.dst_alpha_blend_factor),
                                 VkBlendOp(target.alpha_blend_op)};
  }
  state.alphaToCoverageEnable = from.alpha_to_coverage_enable;
  state.alphaToOneEnable = from.alpha_to_one_enable;
  state.broadcastColor0 = from.broadcast_color0;
  state.clampColor = from.clamp_color;
  state.alphaTestFunc = VkCompareOp(from.alpha_test_func);
  state.depthStencilFormat = VkFormat(from.depth_stencil_format);
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

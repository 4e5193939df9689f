// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/pipeline_state.h"
#include "src/base/field_words.h"
#include "src/state/state_values.h"
#include <algorithm>
#include <set>

namespace dovetail::fossilize {

namespace {

tl::unexpected<Error> invalid(std::string text) {
  return makeError(ErrorCode::InvalidInput, std::move(text));
}

class StateReader {
public:
  StateReader(const GraphicsPipeline &pipeline, const RenderPass *pass, const PipelineState &base, Ignored &ignored)
      : m_pipeline(pipeline), m_pass(pass), m_state(base), m_ignored(ignored) {}

  Result<PipelineState> read() {
    DOVETAIL_CHECK(readVertexInput());
    DOVETAIL_CHECK(readPrimitives());
    readRasterization();
    DOVETAIL_CHECK(readSamples());
    DOVETAIL_CHECK(readColors());
    nameIgnored();
    return m_state;
  }

private:
  bool isDynamic(uint32_t state) const {
    return m_pipeline.dynamicState && std::ranges::find(m_pipeline.dynamicState->dynamicState, state) !=
                                          m_pipeline.dynamicState->dynamicState.end();
  }
  template <typename Field, typename Value> void take(Field &field, const Value &value, uint32_t dynamicState) {
    if (!isDynamic(dynamicState))
      field = static_cast<Field>(value);
  }

  Result<void> readVertexInput() {
    if (!m_pipeline.vertexInputState || isDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
      return {};
    const VertexInputState &from = *m_pipeline.vertexInputState;
    if (from.bindings.size() > MaxVertexBindings || from.attributes.size() > MaxVertexAttributes)
      return invalid("more than 32 vertex bindings or attributes");
    m_state.vertexBindings.clear();
    m_state.vertexAttributes.clear();
    std::set<uint32_t> bindings, locations;
    for (const VertexInputBinding &binding : from.bindings) {
      if (!bindings.insert(binding.binding).second)
        return invalid(fmt::format("vertex binding {} is described twice", binding.binding));
      if (binding.inputRate > VK_VERTEX_INPUT_RATE_INSTANCE)
        return invalid(fmt::format("vertex binding {} has input rate {}", binding.binding, int(binding.inputRate)));
      m_state.vertexBindings.push_back({binding.binding, binding.stride, binding.inputRate, 1});
    }
    for (const BindingDivisor &divisor :
         from.divisors ? from.divisors->vertexBindingDivisors : decltype(from.divisors->vertexBindingDivisors)())
      for (VertexBinding &binding : m_state.vertexBindings)
        if (binding.binding == divisor.binding)
          binding.divisor = divisor.divisor;
    for (const VertexInputAttribute &attribute : from.attributes) {
      if (attribute.location >= MaxVertexAttributes || !locations.insert(attribute.location).second)
        return invalid(fmt::format("vertex attribute at location {}: described twice, or not below {}",
                                   attribute.location, MaxVertexAttributes));
      if (!bindings.contains(attribute.binding))
        return invalid(fmt::format("vertex attribute at location {}: there is no vertex binding {}", attribute.location,
                                   attribute.binding));
      m_state.vertexAttributes.push_back({attribute.location, attribute.binding, attribute.format, attribute.offset});
    }
    if (isDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE))
      makeUpStrides();
    return {};
  }

  // Each stride reaches 32 bytes past the offset of the last attribute, which is enough for all formats.
  void makeUpStrides() {
    constexpr uint32_t Largest = 32;
    for (VertexBinding &binding : m_state.vertexBindings) {
      binding.stride = 0;
      for (const VertexAttribute &attribute : m_state.vertexAttributes)
        if (attribute.binding == binding.binding)
          binding.stride = std::max(binding.stride, attribute.offset + Largest);
    }
  }

  Result<void> readPrimitives() {
    if (m_pipeline.inputAssemblyState) {
      const VkPrimitiveTopology topology = m_pipeline.inputAssemblyState->topology;
      if (topology > VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
        return invalid(fmt::format("there is no primitive topology {}", int(topology)));
      m_state.topology = topology;
    }
    if (!m_pipeline.tessellationState)
      return {};
    const TessellationState &from = *m_pipeline.tessellationState;
    take(m_state.patchControlPoints, from.patchControlPoints, VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
    take(m_state.tessellationDomainLowerLeft,
         from.domainOrigin && from.domainOrigin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT,
         VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT);
    return {};
  }

  void readRasterization() {
    if (!m_pipeline.rasterizationState)
      return;
    const RasterizationState &from = *m_pipeline.rasterizationState;
    take(m_state.depthClampEnable, from.depthClampEnable, VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT);
    take(m_state.rasterizerDiscardEnable, from.rasterizerDiscardEnable, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    take(m_state.flatProvokingVertexLast,
         from.provokingVertex && from.provokingVertex->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT,
         VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT);
    if (from.polygonMode != VK_POLYGON_MODE_FILL)
      m_ignored.insert("polygonMode");
    if (from.stream)
      m_ignored.insert("VkPipelineRasterizationStateStreamCreateInfoEXT");
    if (from.conservative)
      m_ignored.insert("VkPipelineRasterizationConservativeStateCreateInfoEXT");
    if (from.line)
      m_ignored.insert("VkPipelineRasterizationLineStateCreateInfo");
    if (from.depthClip)
      m_ignored.insert("VkPipelineRasterizationDepthClipStateCreateInfoEXT");
  }

  Result<void> readSamples() {
    if (!m_pipeline.multisampleState)
      return {};
    const MultisampleState &from = *m_pipeline.multisampleState;
    const uint32_t samples = from.rasterizationSamples;
    if (samples == 0 || samples > 16 || (samples & (samples - 1)) != 0)
      return invalid(fmt::format("{} samples; a pixel has 1, 2, 4, 8 or 16", samples));
    take(m_state.rasterizationSamples, samples, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
    take(m_state.alphaToCoverageEnable, from.alphaToCoverageEnable, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
    take(m_state.alphaToOneEnable, from.alphaToOneEnable, VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT);
    // If minSampleShading asks for at most one sample, one invocation for each pixel is enough.
    m_state.sampleShadingEnable =
        from.sampleShadingEnable && (samples == 1 || from.minSampleShading * float(samples) > 1);
    if (from.sampleLocations && from.sampleLocations->sampleLocationsEnable)
      m_ignored.insert("VkPipelineSampleLocationsStateCreateInfoEXT");
    return {};
  }

  Result<VkFormat> formatOf(const AttachmentReference &reference) const {
    if (reference.attachment == VK_ATTACHMENT_UNUSED)
      return VK_FORMAT_UNDEFINED;
    if (reference.attachment >= m_pass->attachments.size())
      return invalid(fmt::format("the render pass has no attachment {}", reference.attachment));
    return m_pass->attachments[reference.attachment].format;
  }

  // The formats of the subpass or of dynamic rendering.
  Result<Rendering> readFormats() {
    if (!m_pass)
      return m_pipeline.rendering.value_or(Rendering());
    if (m_pipeline.subpass >= m_pass->subpasses.size())
      return invalid(fmt::format("the render pass has no subpass {}", m_pipeline.subpass));
    const Subpass &subpass = m_pass->subpasses[m_pipeline.subpass];
    Rendering formats;
    for (const AttachmentReference &reference : subpass.colorAttachments)
      formats.colorAttachmentFormats.push_back(DOVETAIL_TRY(formatOf(reference)));
    if (subpass.depthStencilAttachment)
      formats.depthAttachmentFormat = DOVETAIL_TRY(formatOf(*subpass.depthStencilAttachment));
    formats.viewMask = subpass.viewMask.value_or(0);
    if (m_pass->multiview && m_pipeline.subpass < m_pass->multiview->viewMasks.size())
      formats.viewMask = m_pass->multiview->viewMasks[m_pipeline.subpass];
    return formats;
  }

  Result<void> readBlending(const BlendAttachment &from, ColorTarget &target) {
    if (!isDynamic(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT))
      target.writeMask = from.colorWriteMask & 0xf;
    if (!from.blendEnable || isDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) ||
        isDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT))
      return {};
    for (VkBlendFactor factor :
         {from.srcColorBlendFactor, from.dstColorBlendFactor, from.srcAlphaBlendFactor, from.dstAlphaBlendFactor})
      if (factor > VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA)
        return invalid(fmt::format("there is no blend factor {}", int(factor)));
    for (VkBlendOp op : {from.colorBlendOp, from.alphaBlendOp})
      if (op > VK_BLEND_OP_MAX)
        return makeError(ErrorCode::Unsupported, "blend operation {}", int(op));
    target.blendEnable = true;
    target.srcColorBlendFactor = from.srcColorBlendFactor;
    target.dstColorBlendFactor = from.dstColorBlendFactor;
    target.colorBlendOp = from.colorBlendOp;
    target.srcAlphaBlendFactor = from.srcAlphaBlendFactor;
    target.dstAlphaBlendFactor = from.dstAlphaBlendFactor;
    target.alphaBlendOp = from.alphaBlendOp;
    return {};
  }

  Result<void> readColors() {
    const Rendering formats = DOVETAIL_TRY(readFormats());
    if (formats.viewMask)
      m_ignored.insert("viewMask");
    m_state.colorTargets.fill({});
    for (uint32_t index = 0; index < formats.colorAttachmentFormats.size(); ++index) {
      uint32_t location = index;
      if (m_pipeline.attachmentLocations && index < m_pipeline.attachmentLocations->colorAttachmentLocations.size())
        location = m_pipeline.attachmentLocations->colorAttachmentLocations[index];
      if (location == VK_ATTACHMENT_UNUSED || formats.colorAttachmentFormats[index] == VK_FORMAT_UNDEFINED)
        continue;
      if (location >= MaxColorTargets)
        return makeError(ErrorCode::Unsupported, "a colour at location {}; {} are possible", location, MaxColorTargets);
      ColorTarget &target = m_state.colorTargets[location];
      target.format = formats.colorAttachmentFormats[index];
      if (!m_pipeline.colorBlendState)
        continue;
      const ColorBlendState &blend = *m_pipeline.colorBlendState;
      if (index < blend.attachments.size())
        DOVETAIL_CHECK(readBlending(blend.attachments[index], target));
      if (blend.colorWrite && index < blend.colorWrite->colorWriteEnables.size() &&
          !blend.colorWrite->colorWriteEnables[index] && !isDynamic(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT))
        target.writeMask = 0;
    }
    m_state.depthStencilFormat = formats.depthAttachmentFormat != VK_FORMAT_UNDEFINED ? formats.depthAttachmentFormat
                                                                                      : formats.stencilAttachmentFormat;
    return {};
  }

  void nameIgnored() {
    if (m_pipeline.colorBlendState && m_pipeline.colorBlendState->logicOpEnable)
      m_ignored.insert("logicOp");
    if (m_pipeline.viewportState && m_pipeline.viewportState->depthClipControl)
      m_ignored.insert("VkPipelineViewportDepthClipControlCreateInfoEXT");
    for (const ShaderStage &stage : m_pipeline.stages.value_or(std::vector<ShaderStage>()))
      if (stage.requiredSubgroupSize)
        m_ignored.insert("VkPipelineShaderStageRequiredSubgroupSizeCreateInfo");
  }

  const GraphicsPipeline &m_pipeline;
  const RenderPass *m_pass;
  PipelineState m_state;
  Ignored &m_ignored;
};

bool hasDepth(VkFormat format) {
  return format != VK_FORMAT_UNDEFINED && format != VK_FORMAT_S8_UINT;
}

bool hasStencil(VkFormat format) {
  return format == VK_FORMAT_S8_UINT || format == VK_FORMAT_D16_UNORM_S8_UINT ||
         format == VK_FORMAT_D24_UNORM_S8_UINT || format == VK_FORMAT_D32_SFLOAT_S8_UINT;
}

// The fields that Vulkan's pipelines have.
constexpr std::string_view KnownToVulkan[] = {"vertexBindings",
                                              "vertexAttributes",
                                              "topology",
                                              "patchControlPoints",
                                              "tessellationDomainLowerLeft",
                                              "flatProvokingVertexLast",
                                              "depthClampEnable",
                                              "rasterizerDiscardEnable",
                                              "rasterizationSamples",
                                              "sampleShadingEnable",
                                              "colorTargets",
                                              "alphaToCoverageEnable",
                                              "alphaToOneEnable",
                                              "depthStencilFormat"};

// Names the other fields that differ from their defaults.
void nameLost(const PipelineState &state, Ignored &lost) {
  for (std::string_view field : changedFields(state))
    if (std::ranges::find(KnownToVulkan, field) == std::end(KnownToVulkan))
      lost.emplace(field);
}

} // namespace

Result<PipelineState> toPipelineState(const GraphicsPipeline &pipeline, const RenderPass *pass,
                                      const PipelineState &base, Ignored &ignored) {
  return StateReader(pipeline, pass, base, ignored).read();
}

GraphicsPipeline fromPipelineState(const PipelineState &state, Ignored &lost) {
  nameLost(state, lost);
  GraphicsPipeline pipeline;
  VertexInputState &input = pipeline.vertexInputState.emplace();
  for (const VertexBinding &binding : state.vertexBindings) {
    input.bindings.push_back({binding.binding, binding.stride, binding.inputRate});
    if (binding.divisor == 1)
      continue;
    if (!input.divisors)
      input.divisors.emplace();
    input.divisors->vertexBindingDivisors.push_back({binding.binding, binding.divisor});
    ++input.divisors->vertexBindingDivisorCount;
  }
  for (const VertexAttribute &attribute : state.vertexAttributes)
    input.attributes.push_back({attribute.location, attribute.binding, attribute.offset, attribute.format});
  pipeline.inputAssemblyState.emplace().topology = state.topology;
  if (state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST) {
    TessellationState &tessellation = pipeline.tessellationState.emplace();
    tessellation.patchControlPoints = state.patchControlPoints;
    if (state.tessellationDomainLowerLeft)
      tessellation.domainOrigin.emplace().domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
  }

  RasterizationState &rasterization = pipeline.rasterizationState.emplace();
  rasterization.depthClampEnable = state.depthClampEnable;
  rasterization.rasterizerDiscardEnable = state.rasterizerDiscardEnable;
  if (state.flatProvokingVertexLast)
    rasterization.provokingVertex.emplace().provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
  MultisampleState &samples = pipeline.multisampleState.emplace();
  samples.rasterizationSamples = VkSampleCountFlagBits(state.rasterizationSamples);
  samples.sampleShadingEnable = state.sampleShadingEnable;
  samples.minSampleShading = state.sampleShadingEnable ? 1 : 0;
  samples.alphaToCoverageEnable = state.alphaToCoverageEnable;
  samples.alphaToOneEnable = state.alphaToOneEnable;

  ColorBlendState &blend = pipeline.colorBlendState.emplace();
  blend.blendConstants.assign(4, 0);
  Rendering &rendering = pipeline.rendering.emplace();
  size_t count = MaxColorTargets;
  while (count > 0 && state.colorTargets[count - 1].format == VK_FORMAT_UNDEFINED)
    --count;
  for (size_t index = 0; index < count; ++index) {
    const ColorTarget &target = state.colorTargets[index];
    rendering.colorAttachmentFormats.push_back(target.format);
    blend.attachments.push_back({target.dstAlphaBlendFactor, target.srcAlphaBlendFactor, target.dstColorBlendFactor,
                                 target.srcColorBlendFactor, target.writeMask, target.alphaBlendOp, target.colorBlendOp,
                                 target.blendEnable});
  }
  if (hasDepth(state.depthStencilFormat))
    rendering.depthAttachmentFormat = state.depthStencilFormat;
  if (hasStencil(state.depthStencilFormat))
    rendering.stencilAttachmentFormat = state.depthStencilFormat;
  if (state.depthStencilFormat != VK_FORMAT_UNDEFINED)
    pipeline.depthStencilState.emplace().depthCompareOp = VK_COMPARE_OP_ALWAYS;

  // Code depends neither on viewports nor on scissors, and a state has no framebuffer size: so both are dynamic.
  ViewportState &viewport = pipeline.viewportState.emplace();
  viewport.viewportCount = viewport.scissorCount = 1;
  pipeline.dynamicState.emplace().dynamicState = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  return pipeline;
}

} // namespace dovetail::fossilize

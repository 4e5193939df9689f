// SPDX-License-Identifier: MIT
#include "tools/proof/radv/graphics_info.h"
#include <iterator>

namespace dovetail {

namespace {

// Discard is dynamic: with a fixed discard, RADV would drop the fragment shader.
constexpr VkDynamicState DynamicStates[] = {
    VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
    VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, // only for withDynamicVertexInput()
};
constexpr auto DynamicStateCount = uint32_t(std::size(DynamicStates));

constexpr VkGraphicsPipelineLibraryFlagBitsEXT LibraryFlags[] = {
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
};
enum LibraryKind : unsigned { VertexInputLibrary, PreRasterLibrary, FragmentLibrary, FragmentOutputLibrary };

// The fragment shader comes last.
bool hasFragmentShader(std::span<const VkPipelineShaderStageCreateInfo> stages) {
  return !stages.empty() && stages.back().stage == VK_SHADER_STAGE_FRAGMENT_BIT;
}

} // namespace

GraphicsInfo::GraphicsInfo(const PipelineState &state) {
  for (const VertexBinding &binding : state.vertexBindings) {
    m_bindings.push_back({binding.binding, binding.stride, binding.inputRate});
    if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE)
      m_divisors.push_back({binding.binding, binding.divisor});
  }
  m_divisorInput = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
                    .vertexBindingDivisorCount = static_cast<uint32_t>(m_divisors.size()),
                    .pVertexBindingDivisors = m_divisors.data()};
  for (const VertexAttribute &attribute : state.vertexAttributes)
    m_attributes.push_back({attribute.location, attribute.binding, attribute.format, attribute.offset});
  m_vertexInput = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                   .pNext = m_divisors.empty() ? nullptr : &m_divisorInput,
                   .vertexBindingDescriptionCount = static_cast<uint32_t>(m_bindings.size()),
                   .pVertexBindingDescriptions = m_bindings.data(),
                   .vertexAttributeDescriptionCount = static_cast<uint32_t>(m_attributes.size()),
                   .pVertexAttributeDescriptions = m_attributes.data()};
  m_assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = state.topology};
  m_domainOrigin = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
                    .domainOrigin = state.tessellationDomainLowerLeft ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                                                      : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT};
  m_tessellation = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                    .pNext = &m_domainOrigin,
                    .patchControlPoints = state.patchControlPoints};
  m_viewport = {.width = 256, .height = 256, .maxDepth = 1};
  m_scissor = {.extent = {256, 256}};
  m_viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                 .viewportCount = 1,
                 .pViewports = &m_viewport,
                 .scissorCount = 1,
                 .pScissors = &m_scissor};
  m_provokingVertex = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
                       .provokingVertexMode = state.flatProvokingVertexLast
                                                  ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                                                  : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT};
  m_rasterization = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                     .pNext = &m_provokingVertex,
                     .depthClampEnable = state.depthClampEnable,
                     .lineWidth = 1};
  m_multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                   .rasterizationSamples = static_cast<VkSampleCountFlagBits>(state.rasterizationSamples),
                   .sampleShadingEnable = state.sampleShadingEnable,
                   .minSampleShading = 1,
                   .alphaToCoverageEnable = state.alphaToCoverageEnable,
                   .alphaToOneEnable = state.alphaToOneEnable};
  m_depthStencil = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  for (const ColorTarget &target : state.colorTargets) {
    m_attachments.push_back({.blendEnable = target.blendEnable,
                             .srcColorBlendFactor = target.srcColorBlendFactor,
                             .dstColorBlendFactor = target.dstColorBlendFactor,
                             .colorBlendOp = target.colorBlendOp,
                             .srcAlphaBlendFactor = target.srcAlphaBlendFactor,
                             .dstAlphaBlendFactor = target.dstAlphaBlendFactor,
                             .alphaBlendOp = target.alphaBlendOp,
                             .colorWriteMask = target.writeMask});
    m_formats.push_back(target.format);
  }
  m_blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
             .attachmentCount = static_cast<uint32_t>(m_attachments.size()),
             .pAttachments = m_attachments.data()};
  m_rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                 .colorAttachmentCount = static_cast<uint32_t>(m_formats.size()),
                 .pColorAttachmentFormats = m_formats.data(),
                 .depthAttachmentFormat = state.depthStencilFormat,
                 .stencilAttachmentFormat = state.depthStencilFormat};
  m_dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
               .dynamicStateCount = DynamicStateCount - 1,
               .pDynamicStates = DynamicStates};
  m_dynamicVertexInput = m_dynamic;
  m_dynamicVertexInput.dynamicStateCount = DynamicStateCount;
  for (unsigned kind = 0; kind < LibraryKinds; ++kind)
    m_libraries[kind] = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                         .pNext = &m_rendering,
                         .flags = LibraryFlags[kind]};
}

VkGraphicsPipelineCreateInfo GraphicsInfo::wholePipeline(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                                         VkPipelineLayout layout) const {
  return {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
          .pNext = &m_rendering,
          .stageCount = static_cast<uint32_t>(stages.size()),
          .pStages = stages.data(),
          .pVertexInputState = &m_vertexInput,
          .pInputAssemblyState = &m_assembly,
          .pTessellationState = &m_tessellation,
          .pViewportState = &m_viewports,
          .pRasterizationState = &m_rasterization,
          .pMultisampleState = &m_multisample,
          .pDepthStencilState = &m_depthStencil,
          .pColorBlendState = &m_blend,
          .pDynamicState = &m_dynamic,
          .layout = layout,
          .basePipelineIndex = -1};
}

VkGraphicsPipelineCreateInfo
GraphicsInfo::withDynamicVertexInput(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                     VkPipelineLayout layout) const {
  VkGraphicsPipelineCreateInfo info = wholePipeline(stages, layout);
  info.pDynamicState = &m_dynamicVertexInput;
  return info;
}

VkGraphicsPipelineCreateInfo GraphicsInfo::library(unsigned kind) const {
  return {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
          .pNext = &m_libraries[kind],
          .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
          .pDynamicState = &m_dynamic,
          .basePipelineIndex = -1};
}

VkGraphicsPipelineCreateInfo GraphicsInfo::vertexInputLibrary() const {
  VkGraphicsPipelineCreateInfo info = library(VertexInputLibrary);
  info.pVertexInputState = &m_vertexInput;
  info.pInputAssemblyState = &m_assembly;
  return info;
}

VkGraphicsPipelineCreateInfo GraphicsInfo::preRasterLibrary(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                                            VkPipelineLayout layout) const {
  VkGraphicsPipelineCreateInfo info = library(PreRasterLibrary);
  info.stageCount = static_cast<uint32_t>(stages.size() - (hasFragmentShader(stages) ? 1 : 0));
  info.pStages = stages.data();
  info.pTessellationState = &m_tessellation;
  info.pViewportState = &m_viewports;
  info.pRasterizationState = &m_rasterization;
  info.layout = layout;
  return info;
}

VkGraphicsPipelineCreateInfo GraphicsInfo::fragmentLibrary(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                                           VkPipelineLayout layout) const {
  VkGraphicsPipelineCreateInfo info = library(FragmentLibrary);
  if (hasFragmentShader(stages)) {
    info.stageCount = 1;
    info.pStages = &stages.back();
  }
  info.pMultisampleState = &m_multisample;
  info.pDepthStencilState = &m_depthStencil;
  info.layout = layout;
  return info;
}

VkGraphicsPipelineCreateInfo GraphicsInfo::fragmentOutputLibrary() const {
  VkGraphicsPipelineCreateInfo info = library(FragmentOutputLibrary);
  info.pMultisampleState = &m_multisample;
  info.pColorBlendState = &m_blend;
  return info;
}

} // namespace dovetail

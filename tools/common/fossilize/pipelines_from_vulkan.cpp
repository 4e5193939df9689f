// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/from_vulkan.h"
#include "tools/common/fossilize/next_chain.h"
#include <algorithm>

namespace dovetail::fossilize {

namespace {

// Structs that Debian's vulkan_core.h lacks.
struct CreateFlags2Info {
  VkStructureType sType;
  const void *pNext;
  uint64_t flags;
};
struct AttachmentLocationsInfo {
  VkStructureType sType;
  const void *pNext;
  uint32_t colorAttachmentCount;
  const uint32_t *pColorAttachmentLocations;
};

void copyFlags2(const void *chain, Next<CreateFlags2, CreateFlags2Type> &flags2) {
  if (auto *next = findNext<CreateFlags2Info>(chain, CreateFlags2Type))
    flags2.emplace().flags = next->flags;
}

ShaderStage describe(const VkPipelineShaderStageCreateInfo &from, const HashOfHandle &hashOf) {
  ShaderStage stage;
  stage.flags = from.flags;
  stage.name = from.pName;
  stage.module = hashOf(VK_OBJECT_TYPE_SHADER_MODULE, toNumber(from.module));
  stage.stage = from.stage;
  if (const VkSpecializationInfo *values = from.pSpecializationInfo) {
    SpecializationInfo &info = stage.specializationInfo.emplace();
    copyList(info.data, static_cast<const uint8_t *>(values->pData), values->dataSize);
    for (uint32_t index = 0; index < values->mapEntryCount; ++index) {
      const VkSpecializationMapEntry &entry = values->pMapEntries[index];
      info.mapEntries.push_back({entry.offset, entry.size, entry.constantID});
    }
  }
  if (auto *next = findNext<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO))
    stage.requiredSubgroupSize.emplace().requiredSubgroupSize = next->requiredSubgroupSize;
  return stage;
}

VertexInputState describe(const VkPipelineVertexInputStateCreateInfo &from) {
  VertexInputState state;
  state.flags = from.flags;
  for (uint32_t index = 0; index < from.vertexAttributeDescriptionCount; ++index) {
    const VkVertexInputAttributeDescription &attribute = from.pVertexAttributeDescriptions[index];
    state.attributes.push_back({attribute.location, attribute.binding, attribute.offset, attribute.format});
  }
  for (uint32_t index = 0; index < from.vertexBindingDescriptionCount; ++index) {
    const VkVertexInputBindingDescription &binding = from.pVertexBindingDescriptions[index];
    state.bindings.push_back({binding.binding, binding.stride, binding.inputRate});
  }
  if (auto *next = findNext<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT)) {
    VertexDivisors &divisors = state.divisors.emplace();
    divisors.vertexBindingDivisorCount = next->vertexBindingDivisorCount;
    for (uint32_t index = 0; index < next->vertexBindingDivisorCount; ++index)
      divisors.vertexBindingDivisors.push_back(
          {next->pVertexBindingDivisors[index].binding, next->pVertexBindingDivisors[index].divisor});
  }
  return state;
}

InputAssemblyState describe(const VkPipelineInputAssemblyStateCreateInfo &from) {
  return {from.flags, from.topology, from.primitiveRestartEnable};
}

TessellationState describe(const VkPipelineTessellationStateCreateInfo &from) {
  TessellationState state = {from.flags, from.patchControlPoints, {}};
  if (auto *next = findNext<VkPipelineTessellationDomainOriginStateCreateInfo>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO))
    state.domainOrigin.emplace().domainOrigin = next->domainOrigin;
  return state;
}

ViewportState describe(const VkPipelineViewportStateCreateInfo &from) {
  ViewportState state;
  state.flags = from.flags;
  state.viewportCount = from.viewportCount;
  state.scissorCount = from.scissorCount;
  if (from.pViewports) {
    state.viewports.emplace();
    for (uint32_t index = 0; index < from.viewportCount; ++index) {
      const VkViewport &viewport = from.pViewports[index];
      state.viewports->push_back(
          {viewport.x, viewport.y, viewport.width, viewport.height, viewport.minDepth, viewport.maxDepth});
    }
  }
  if (from.pScissors) {
    state.scissors.emplace();
    for (uint32_t index = 0; index < from.scissorCount; ++index) {
      const VkRect2D &scissor = from.pScissors[index];
      state.scissors->push_back({scissor.offset.x, scissor.offset.y, scissor.extent.width, scissor.extent.height});
    }
  }
  if (auto *next = findNext<VkPipelineViewportDepthClipControlCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT))
    state.depthClipControl.emplace().negativeOneToOne = next->negativeOneToOne;
  return state;
}

RasterizationState describe(const VkPipelineRasterizationStateCreateInfo &from) {
  RasterizationState state;
  state.flags = from.flags;
  state.depthBiasConstantFactor = from.depthBiasConstantFactor;
  state.depthBiasSlopeFactor = from.depthBiasSlopeFactor;
  state.depthBiasClamp = from.depthBiasClamp;
  state.depthBiasEnable = from.depthBiasEnable;
  state.depthClampEnable = from.depthClampEnable;
  state.polygonMode = from.polygonMode;
  state.rasterizerDiscardEnable = from.rasterizerDiscardEnable;
  state.frontFace = from.frontFace;
  state.lineWidth = from.lineWidth;
  state.cullMode = from.cullMode;
  if (auto *next = findNext<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT))
    state.depthClip.emplace() = {next->flags, next->depthClipEnable};
  if (auto *next = findNext<VkPipelineRasterizationStateStreamCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT))
    state.stream.emplace() = {next->flags, next->rasterizationStream};
  if (auto *next = findNext<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT))
    state.conservative.emplace() = {next->flags, uint32_t(next->conservativeRasterizationMode),
                                    next->extraPrimitiveOverestimationSize};
  if (auto *next = findNext<VkPipelineRasterizationLineStateCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT))
    state.line.emplace() = {uint32_t(next->lineRasterizationMode), next->stippledLineEnable, next->lineStippleFactor,
                            next->lineStipplePattern};
  if (auto *next = findNext<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT))
    state.provokingVertex.emplace().provokingVertexMode = next->provokingVertexMode;
  return state;
}

MultisampleState describe(const VkPipelineMultisampleStateCreateInfo &from) {
  MultisampleState state;
  state.flags = from.flags;
  state.rasterizationSamples = from.rasterizationSamples;
  state.sampleShadingEnable = from.sampleShadingEnable;
  state.minSampleShading = from.minSampleShading;
  state.alphaToOneEnable = from.alphaToOneEnable;
  state.alphaToCoverageEnable = from.alphaToCoverageEnable;
  if (from.pSampleMask)
    copyList(state.sampleMask.emplace(), from.pSampleMask, (uint32_t(from.rasterizationSamples) + 31) / 32);
  if (auto *next = findNext<VkPipelineSampleLocationsStateCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT)) {
    SampleLocations &locations = state.sampleLocations.emplace();
    locations.sampleLocationsEnable = next->sampleLocationsEnable;
    if (next->sampleLocationsEnable) {
      const VkSampleLocationsInfoEXT &info = next->sampleLocationsInfo;
      SampleLocationsInfo &copy = locations.sampleLocationsInfo.emplace();
      copy.sampleLocationsPerPixel = info.sampleLocationsPerPixel;
      copy.sampleLocationGridSize = {info.sampleLocationGridSize.width, info.sampleLocationGridSize.height};
      for (uint32_t index = 0; info.pSampleLocations && index < info.sampleLocationsCount; ++index)
        copy.sampleLocations.push_back({info.pSampleLocations[index].x, info.pSampleLocations[index].y});
    }
  }
  return state;
}

StencilOp describe(const VkStencilOpState &from) {
  return {from.compareOp, from.writeMask, from.reference, from.compareMask, from.passOp, from.failOp, from.depthFailOp};
}

DepthStencilState describe(const VkPipelineDepthStencilStateCreateInfo &from) {
  DepthStencilState state;
  state.flags = from.flags;
  state.stencilTestEnable = from.stencilTestEnable;
  state.maxDepthBounds = from.maxDepthBounds;
  state.minDepthBounds = from.minDepthBounds;
  state.depthBoundsTestEnable = from.depthBoundsTestEnable;
  state.depthWriteEnable = from.depthWriteEnable;
  state.depthTestEnable = from.depthTestEnable;
  state.depthCompareOp = from.depthCompareOp;
  state.front = describe(from.front);
  state.back = describe(from.back);
  return state;
}

ColorBlendState describe(const VkPipelineColorBlendStateCreateInfo &from) {
  ColorBlendState state;
  state.flags = from.flags;
  state.logicOp = from.logicOp;
  state.logicOpEnable = from.logicOpEnable;
  copyList(state.blendConstants, from.blendConstants, 4);
  for (uint32_t index = 0; index < from.attachmentCount; ++index) {
    BlendAttachment &to = state.attachments.emplace_back();
    if (!from.pAttachments) // all of it is dynamic
      continue;
    const VkPipelineColorBlendAttachmentState &blend = from.pAttachments[index];
    to = {blend.dstAlphaBlendFactor, blend.srcAlphaBlendFactor, blend.dstColorBlendFactor, blend.srcColorBlendFactor,
          blend.colorWriteMask,      blend.alphaBlendOp,        blend.colorBlendOp,        blend.blendEnable};
  }
  if (auto *next = findNext<VkPipelineColorWriteCreateInfoEXT>(
          from.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT)) {
    ColorWrite &write = state.colorWrite.emplace();
    write.attachmentCount = next->attachmentCount;
    copyList(write.colorWriteEnables, next->pColorWriteEnables, next->attachmentCount);
  }
  return state;
}

Rendering describe(const VkPipelineRenderingCreateInfo &from) {
  Rendering rendering;
  rendering.depthAttachmentFormat = from.depthAttachmentFormat;
  rendering.stencilAttachmentFormat = from.stencilAttachmentFormat;
  rendering.viewMask = from.viewMask;
  copyList(rendering.colorAttachmentFormats, from.pColorAttachmentFormats, from.colorAttachmentCount);
  return rendering;
}

template <typename To, typename From> void describeIf(bool isRead, To &to, const From *from) {
  if (isRead && from)
    to = describe(*from);
}

constexpr uint32_t AllPieces = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// The pieces that this create-info describes itself; the others come from its libraries.
uint32_t ownPieces(const VkGraphicsPipelineCreateInfo &info) {
  if (auto *next = findNext<VkGraphicsPipelineLibraryCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT))
    return next->flags;
  auto *linked =
      findNext<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return linked && linked->libraryCount > 0 ? 0 : AllPieces;
}

} // namespace

ComputePipeline fromVulkan(const VkComputePipelineCreateInfo &info, const HashOfHandle &hashOf) {
  ComputePipeline pipeline;
  pipeline.flags = info.flags;
  pipeline.layout = hashOf(VK_OBJECT_TYPE_PIPELINE_LAYOUT, toNumber(info.layout));
  pipeline.stage = describe(info.stage, hashOf);
  copyFlags2(info.pNext, pipeline.flags2);
  return pipeline;
}

GraphicsPipeline fromVulkan(const VkGraphicsPipelineCreateInfo &info, const HashOfHandle &hashOf, bool usesColor,
                            bool usesDepthStencil) {
  const uint32_t pieces = ownPieces(info);
  const bool hasVertexInput = pieces & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
             hasFront = pieces & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
             hasFragment = pieces & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
             hasOutput = pieces & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
  GraphicsPipeline pipeline;
  pipeline.flags = info.flags;
  pipeline.layout = hashOf(VK_OBJECT_TYPE_PIPELINE_LAYOUT, toNumber(info.layout));
  if (hasFront || hasFragment || hasOutput) {
    pipeline.renderPass = hashOf(VK_OBJECT_TYPE_RENDER_PASS, toNumber(info.renderPass));
    pipeline.subpass = info.subpass;
  }
  VkShaderStageFlags stages = 0;
  if (hasFront || hasFragment) {
    pipeline.stages.emplace();
    for (uint32_t index = 0; index < info.stageCount; ++index) {
      pipeline.stages->push_back(describe(info.pStages[index], hashOf));
      stages |= info.pStages[index].stage;
    }
  }
  if (info.pDynamicState) {
    DynamicStates &dynamic = pipeline.dynamicState.emplace();
    dynamic.flags = info.pDynamicState->flags;
    copyList(dynamic.dynamicState, info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount);
  }
  auto isDynamic = [&](VkDynamicState state) {
    return pipeline.dynamicState && std::ranges::find(pipeline.dynamicState->dynamicState, uint32_t(state)) !=
                                        pipeline.dynamicState->dynamicState.end();
  };
  const bool isDiscarding = hasFront && info.pRasterizationState && info.pRasterizationState->rasterizerDiscardEnable &&
                            !isDynamic(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  const bool hasMesh = stages & VK_SHADER_STAGE_MESH_BIT_EXT;
  describeIf(hasVertexInput && !hasMesh && !isDynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT), pipeline.vertexInputState,
             info.pVertexInputState);
  describeIf(hasVertexInput && !hasMesh, pipeline.inputAssemblyState, info.pInputAssemblyState);
  describeIf(hasFront && stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, pipeline.tessellationState,
             info.pTessellationState);
  describeIf(hasFront, pipeline.rasterizationState, info.pRasterizationState);
  describeIf(hasFront && !isDiscarding, pipeline.viewportState, info.pViewportState);
  describeIf((hasFragment || hasOutput) && !isDiscarding, pipeline.multisampleState, info.pMultisampleState);
  describeIf(hasFragment && !isDiscarding && usesDepthStencil, pipeline.depthStencilState, info.pDepthStencilState);
  describeIf(hasOutput && !isDiscarding && usesColor, pipeline.colorBlendState, info.pColorBlendState);

  if (auto *next =
          findNext<VkPipelineRenderingCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
      next && !pipeline.renderPass && pieces) {
    Rendering &rendering = pipeline.rendering.emplace() = describe(*next);
    if (!hasOutput) // only the view mask is read
      rendering = {.viewMask = rendering.viewMask};
  }
  if (auto *next = findNext<AttachmentLocationsInfo>(info.pNext, AttachmentLocationsType); next && hasOutput) {
    AttachmentLocations &locations = pipeline.attachmentLocations.emplace();
    locations.colorAttachmentCount = next->colorAttachmentCount;
    copyList(locations.colorAttachmentLocations, next->pColorAttachmentLocations, next->colorAttachmentCount);
  }
  if (auto *next = findNext<VkGraphicsPipelineLibraryCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT))
    pipeline.libraryPieces.emplace().flags = next->flags;
  if (auto *next =
          findNext<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR)) {
    pipeline.libraries.emplace();
    for (uint32_t index = 0; index < next->libraryCount; ++index)
      pipeline.libraries->libraries.push_back(hashOf(VK_OBJECT_TYPE_PIPELINE, toNumber(next->pLibraries[index])));
  }
  copyFlags2(info.pNext, pipeline.flags2);
  return pipeline;
}

} // namespace dovetail::fossilize

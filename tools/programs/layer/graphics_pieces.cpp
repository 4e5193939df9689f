// SPDX-License-Identifier: MIT
//
// Reads only the pointers that count. Vulkan ignores many pointers, and ignored ones may point anywhere: those of the
// fragment stages if rasterisation is discarded, those of sections that a library lacks, those of dynamic state.
#include "tools/programs/layer/graphics_pieces.h"
#include <algorithm>
#include <cstring>
#include <span>

namespace dovetail::layer {

namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT VertexInputSection =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT FrontSection =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT FragmentSection = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT OutputSection =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// The dynamic states that each section may have.
constexpr DynamicStates VertexInputStates = bitOf(DynamicState::VertexInput) | bitOf(DynamicState::PrimitiveTopology);
constexpr DynamicStates FrontStates = bitOf(DynamicState::PatchControlPoints) |
                                      bitOf(DynamicState::TessellationDomainOrigin) |
                                      bitOf(DynamicState::ProvokingVertexMode) | bitOf(DynamicState::DepthClampEnable) |
                                      bitOf(DynamicState::RasterizerDiscardEnable);
constexpr DynamicStates OutputStates = bitOf(DynamicState::RasterizationSamples) |
                                       bitOf(DynamicState::AlphaToCoverageEnable) |
                                       bitOf(DynamicState::AlphaToOneEnable) | bitOf(DynamicState::ColorBlendEnable) |
                                       bitOf(DynamicState::ColorBlendEquation) | bitOf(DynamicState::ColorWriteMask) |
                                       bitOf(DynamicState::ColorWriteEnable);

VkGraphicsPipelineLibraryFlagsEXT ownSectionsOf(const VkGraphicsPipelineCreateInfo &info, bool hasLibraries) {
  if (const auto *library = findNext<VkGraphicsPipelineLibraryCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT))
    return library->flags;
  return hasLibraries ? 0 : AllSections;
}

DynamicStates readDynamicStates(const VkGraphicsPipelineCreateInfo &info) {
  DynamicStates states = 0;
  if (info.pDynamicState)
    for (uint32_t index = 0; index < info.pDynamicState->dynamicStateCount; ++index)
      states |= bitOf(info.pDynamicState->pDynamicStates[index]);
  return states;
}

void readVertexInput(const VkPipelineVertexInputStateCreateInfo &info, StateFields &fields) {
  const auto *divisors = findNext<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT);
  const auto divisorOf = [&](uint32_t binding) {
    for (uint32_t index = 0; divisors && index < divisors->vertexBindingDivisorCount; ++index)
      if (divisors->pVertexBindingDivisors[index].binding == binding)
        return divisors->pVertexBindingDivisors[index].divisor;
    return 1u;
  };
  for (uint32_t index = 0; index < info.vertexBindingDescriptionCount; ++index) {
    const VkVertexInputBindingDescription &binding = info.pVertexBindingDescriptions[index];
    fields.bindings.push_back(
        {binding.binding, binding.stride, uint32_t(binding.inputRate), divisorOf(binding.binding)});
  }
  for (uint32_t index = 0; index < info.vertexAttributeDescriptionCount; ++index) {
    const VkVertexInputAttributeDescription &attribute = info.pVertexAttributeDescriptions[index];
    fields.attributes.push_back({attribute.location, attribute.binding, uint32_t(attribute.format), attribute.offset});
  }
}

void readFront(const VkGraphicsPipelineCreateInfo &info, bool isTessellated, DynamicStates dynamic,
               dovetail_pipeline_state &state) {
  if (isTessellated && info.pTessellationState) {
    if (!(dynamic & bitOf(DynamicState::PatchControlPoints)))
      state.patch_control_points = info.pTessellationState->patchControlPoints;
    if (const auto *origin = findNext<VkPipelineTessellationDomainOriginStateCreateInfo>(
            info.pTessellationState->pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO))
      state.tessellation_domain_lower_left = origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
  }
  const VkPipelineRasterizationStateCreateInfo *raster = info.pRasterizationState;
  if (!raster)
    return;
  state.depth_clamp_enable = raster->depthClampEnable != VK_FALSE;
  state.rasterizer_discard_enable = raster->rasterizerDiscardEnable != VK_FALSE;
  if (const auto *provoking = findNext<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          raster->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT))
    state.flat_provoking_vertex_last = provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

void readMultisampling(const VkPipelineMultisampleStateCreateInfo &info, dovetail_pipeline_state &state) {
  const uint32_t samples = std::max(1u, uint32_t(info.rasterizationSamples));
  state.rasterization_samples = samples;
  state.sample_shading_enable =
      info.sampleShadingEnable != VK_FALSE && info.minSampleShading * static_cast<float>(samples) > 1;
  state.alpha_to_coverage_enable = info.alphaToCoverageEnable != VK_FALSE;
  state.alpha_to_one_enable = info.alphaToOneEnable != VK_FALSE;
}

void readFormats(Device &device, const VkGraphicsPipelineCreateInfo &info, dovetail_pipeline_state &state) {
  state.depth_stencil_format = VK_FORMAT_UNDEFINED;
  if (info.renderPass != VK_NULL_HANDLE) {
    const std::shared_ptr<RenderPass> pass = device.renderPasses.find(info.renderPass);
    if (!pass || info.subpass >= pass->subpasses.size())
      return;
    const Subpass &subpass = pass->subpasses[info.subpass];
    for (size_t index = 0; index < std::min(subpass.colors.size(), MaxTargets); ++index)
      state.color_targets[index].format = subpass.colors[index];
    state.depth_stencil_format = subpass.depthStencil;
    return;
  }
  const auto *rendering =
      findNext<VkPipelineRenderingCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  if (!rendering)
    return;
  for (size_t index = 0; index < std::min<size_t>(rendering->colorAttachmentCount, MaxTargets); ++index)
    state.color_targets[index].format = rendering->pColorAttachmentFormats[index];
  state.depth_stencil_format = rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED
                                   ? rendering->depthAttachmentFormat
                                   : rendering->stencilAttachmentFormat;
}

void readBlending(const VkPipelineColorBlendStateCreateInfo &info, dovetail_pipeline_state &state) {
  const auto *writes =
      findNext<VkPipelineColorWriteCreateInfoEXT>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
  if (!info.pAttachments)
    return; // all of it is dynamic
  for (uint32_t index = 0; index < std::min<uint32_t>(info.attachmentCount, MaxTargets); ++index) {
    const VkPipelineColorBlendAttachmentState &given = info.pAttachments[index];
    dovetail_color_target &target = state.color_targets[index];
    target.blend_enable = given.blendEnable != VK_FALSE;
    setBlending({given.srcColorBlendFactor, given.dstColorBlendFactor, given.colorBlendOp, given.srcAlphaBlendFactor,
                 given.dstAlphaBlendFactor, given.alphaBlendOp},
                target);
    target.write_mask = given.colorWriteMask & 0xf;
    if (writes && index < writes->attachmentCount && !writes->pColorWriteEnables[index])
      target.write_mask = 0;
  }
}

bool usesDepthStencil(Device &device, const VkGraphicsPipelineCreateInfo &info) {
  if (info.renderPass == VK_NULL_HANDLE)
    return true;
  const std::shared_ptr<RenderPass> pass = device.renderPasses.find(info.renderPass);
  return pass && info.subpass < pass->subpasses.size() &&
         pass->subpasses[info.subpass].depthStencilAttachment != VK_ATTACHMENT_UNUSED;
}

// Takes over the sections of a library.
void mergeLibrary(const GraphicsPieces &library, GraphicsPieces &pieces) {
  const auto has = [&](VkGraphicsPipelineLibraryFlagsEXT section) { return (library.sections & section) != 0; };
  const dovetail_pipeline_state &from = library.fields.plain;
  dovetail_pipeline_state &to = pieces.fields.plain;
  pieces.sections |= library.sections;
  pieces.dynamic |= library.dynamic;
  mergeFixedFunction(library.fixed, library.sections, pieces.fixed);
  pieces.stages.insert(pieces.stages.end(), library.stages.begin(), library.stages.end());
  if (!pieces.layout)
    pieces.layout = library.layout;
  if (has(VertexInputSection)) {
    pieces.fields.bindings = library.fields.bindings;
    pieces.fields.attributes = library.fields.attributes;
    to.topology = from.topology;
  }
  if (has(FrontSection)) {
    to.patch_control_points = from.patch_control_points;
    to.tessellation_domain_lower_left = from.tessellation_domain_lower_left;
    to.flat_provoking_vertex_last = from.flat_provoking_vertex_last;
    to.depth_clamp_enable = from.depth_clamp_enable;
    to.rasterizer_discard_enable = from.rasterizer_discard_enable;
  }
  if (has(FragmentSection))
    to.sample_shading_enable = from.sample_shading_enable;
  if (has(OutputSection)) {
    to.rasterization_samples = from.rasterization_samples;
    to.alpha_to_coverage_enable = from.alpha_to_coverage_enable;
    to.alpha_to_one_enable = from.alpha_to_one_enable;
    to.depth_stencil_format = from.depth_stencil_format;
    std::ranges::copy(from.color_targets, to.color_targets);
  }
}

constexpr VkShaderStageFlags FrontStages = VK_SHADER_STAGE_ALL_GRAPHICS & ~VK_SHADER_STAGE_FRAGMENT_BIT;

} // namespace

std::optional<StageSource> readStage(Device &device, const VkPipelineShaderStageCreateInfo &info) {
  StageSource source;
  source.stage = info.stage;
  source.entryPoint = info.pName;
  if (info.module != VK_NULL_HANDLE) {
    source.module = device.modules.find(info.module);
  } else if (const auto *inlined =
                 findNext<VkShaderModuleCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    auto module = std::make_shared<Module>();
    module->words.assign(inlined->pCode, inlined->pCode + inlined->codeSize / sizeof(uint32_t));
    module->hash = hashOf(module->words.data(), inlined->codeSize);
    source.module = std::move(module);
  }
  if (!source.module)
    return std::nullopt;
  const auto *name =
      findNext<VkDebugUtilsObjectNameInfoEXT>(info.pNext, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
  source.label = name && name->pObjectName ? name->pObjectName : source.module->label;
  if (const VkSpecializationInfo *special = info.pSpecializationInfo)
    for (uint32_t index = 0; index < special->mapEntryCount; ++index) {
      const VkSpecializationMapEntry &entry = special->pMapEntries[index];
      uint64_t value = 0;
      std::memcpy(&value, static_cast<const uint8_t *>(special->pData) + entry.offset,
                  std::min(entry.size, sizeof value));
      source.specConstants.push_back({value, entry.constantID, 0});
    }
  return source;
}

std::optional<GraphicsPieces> readGraphicsPieces(Device &device, const VkGraphicsPipelineCreateInfo &info) {
  GraphicsPieces pieces;
  const auto *libraries =
      findNext<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  const bool hasLibraries = libraries && libraries->libraryCount > 0;
  pieces.sections = ownSectionsOf(info, hasLibraries);
  const auto has = [&](VkGraphicsPipelineLibraryFlagsEXT section) { return (pieces.sections & section) != 0; };
  const DynamicStates given = readDynamicStates(info);
  pieces.dynamic = given & ((has(VertexInputSection) ? VertexInputStates : 0) | (has(FrontSection) ? FrontStates : 0) |
                            (has(OutputSection) ? OutputStates : 0));
  if (info.layout != VK_NULL_HANDLE)
    pieces.layout = device.pipelineLayouts.find(info.layout);

  dovetail_pipeline_state &state = pieces.fields.plain;
  bool isTessellated = false;
  for (uint32_t index = 0; index < info.stageCount; ++index)
    isTessellated |= info.pStages[index].stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  if (has(VertexInputSection)) {
    if (info.pVertexInputState && !(pieces.dynamic & bitOf(DynamicState::VertexInput)))
      readVertexInput(*info.pVertexInputState, pieces.fields);
    if (info.pInputAssemblyState)
      state.topology = info.pInputAssemblyState->topology;
  }
  if (has(FrontSection))
    readFront(info, isTessellated, pieces.dynamic, state);
  for (const VkPipeline handle :
       std::span(hasLibraries ? libraries->pLibraries : nullptr, hasLibraries ? libraries->libraryCount : 0)) {
    const std::shared_ptr<Pipeline> library = device.pipelines.find(handle);
    if (!library || !library->pieces)
      return std::nullopt;
    mergeLibrary(*library->pieces, pieces);
  }

  // The libraries are merged: from here on, it is known whether rasterisation is discarded.
  const VkGraphicsPipelineLibraryFlagsEXT own = ownSectionsOf(info, hasLibraries);
  const bool isDiscarded =
      state.rasterizer_discard_enable && !(pieces.dynamic & bitOf(DynamicState::RasterizerDiscardEnable));
  for (uint32_t index = 0; index < info.stageCount; ++index) {
    const VkPipelineShaderStageCreateInfo &stage = info.pStages[index];
    const bool isFront = (stage.stage & FrontStages) != 0;
    if (!(own & (isFront ? FrontSection : FragmentSection)) || (!isFront && isDiscarded))
      continue;
    std::optional<StageSource> source = readStage(device, stage);
    if (!source)
      return std::nullopt;
    pieces.stages.push_back(std::move(*source));
  }
  if ((own & (FragmentSection | OutputSection)) && !isDiscarded && info.pMultisampleState)
    readMultisampling(*info.pMultisampleState, state);
  if ((own & OutputSection) && !isDiscarded) {
    readFormats(device, info, state);
    if (info.pColorBlendState)
      readBlending(*info.pColorBlendState, state);
  }
  if (device.execution()) {
    VkGraphicsPipelineCreateInfo used = info;
    if (!usesDepthStencil(device, info))
      used.pDepthStencilState = nullptr;
    readFixedFunction(used, own, isDiscarded, pieces.fixed);
  }
  std::ranges::sort(pieces.stages, {}, &StageSource::stage);
  return pieces;
}

} // namespace dovetail::layer

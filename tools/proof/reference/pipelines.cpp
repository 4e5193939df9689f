// SPDX-License-Identifier: MIT
//
// Turns a scene's state into Vulkan's pipeline create-infos. Refuses states that Vulkan lacks (those of GL).
#include "src/state/format_table.h"
#include "tools/proof/reference/draw_scene.h"
#include <algorithm>
#include <cstring>

namespace dovetail::reference {

namespace {

// Data of create-infos; it must stay in place until the pipeline is made.
struct Specialization {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<uint8_t> data;
  VkSpecializationInfo info = {};
};

VkSpecializationInfo *makeSpecialization(const SceneShader &shader, Garbage &garbage) {
  auto made = std::make_shared<Specialization>();
  for (const SceneSpecConstant &constant : shader.specConstants) {
    made->entries.push_back({constant.id, static_cast<uint32_t>(made->data.size()), constant.bytes});
    const auto *bytes = reinterpret_cast<const uint8_t *>(&constant.value);
    made->data.insert(made->data.end(), bytes, bytes + constant.bytes);
  }
  made->info = {static_cast<uint32_t>(made->entries.size()), made->entries.data(), made->data.size(),
                made->data.data()};
  garbage.add([made] {});
  return &made->info;
}

// Refuses GL's states, and states that lavapipe cannot draw.
Result<void> checkState(const VulkanDevice &device, const Scene &scene) {
  const PipelineState &state = scene.state;
  if (state.alphaTestFunc != VK_COMPARE_OP_ALWAYS)
    return makeError(ErrorCode::Unsupported, "Vulkan has no alpha test");
  if (state.broadcastColor0)
    return makeError(ErrorCode::Unsupported, "Vulkan does not broadcast colour 0");
  if (state.clampColor)
    return makeError(ErrorCode::Unsupported, "Vulkan does not clamp float colours");
  if (state.polygonStippleEnable || state.colorTwoSide || state.flatShadeColors || state.perSampleInterpolation ||
      state.multisampleDisable || state.smoothing || state.pointSmoothing || state.clampVertexColor)
    return makeError(ErrorCode::Unsupported, "Vulkan has no stipple, no smoothing and no colours of GL's");
  auto has = [&](VkShaderStageFlagBits stage) {
    return std::ranges::find(scene.shaders, stage, &SceneShader::stage) != scene.shaders.end();
  };
  if (has(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) && !has(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT))
    return makeError(ErrorCode::Unsupported, "Vulkan has no patches without a control shader");
  if (state.spriteCoordEnable || state.spriteCoordLowerLeft)
    return makeError(ErrorCode::Unsupported, "Vulkan replaces no inputs by point coordinates");
  if (state.clipDistanceEnable != PipelineState().clipDistanceEnable)
    return makeError(ErrorCode::Unsupported, "Vulkan cannot turn clip distances off");
  // With several samples, lavapipe applies the left and upper edges of a scissor to samples instead of pixels. So it
  // draws into the pixels beside the scissor.
  for (const VkRect2D &scissor : scene.scissors)
    if (state.rasterizationSamples > 1 && (scissor.offset.x > 0 || scissor.offset.y > 0))
      return makeError(ErrorCode::Unsupported, "lavapipe draws beside the scissor of a multisampled target");
  for (const VertexAttribute &attribute : state.vertexAttributes)
    DOVETAIL_CHECK(device.checkBufferFormat(attribute.format, VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT));
  for (const VertexBinding &binding : state.vertexBindings)
    if (binding.stride > device.limits().maxVertexInputBindingStride)
      return makeError(ErrorCode::Unsupported, "lavapipe's vertex strides end at {}, binding {} has {}",
                       device.limits().maxVertexInputBindingStride, binding.binding, binding.stride);
  return {};
}

struct VertexInput {
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors;
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisorInfo = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT};
  VkPipelineVertexInputStateCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};

  explicit VertexInput(const Scene &scene) {
    for (const VertexBinding &binding : scene.state.vertexBindings) {
      // A binding without a buffer has no attributes (checkScene()).
      if (std::ranges::find(scene.vertexBuffers, binding.binding, &SceneVertexBuffer::binding) ==
          scene.vertexBuffers.end())
        continue;
      bindings.push_back({binding.binding, binding.stride, binding.inputRate});
      if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE && binding.divisor != 1)
        divisors.push_back({binding.binding, binding.divisor});
    }
    for (const VertexAttribute &attribute : scene.state.vertexAttributes)
      attributes.push_back({attribute.location, attribute.binding, attribute.format, attribute.offset});
    divisorInfo.vertexBindingDivisorCount = static_cast<uint32_t>(divisors.size());
    divisorInfo.pVertexBindingDivisors = divisors.data();
    info.pNext = divisors.empty() ? nullptr : &divisorInfo;
    info.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings.size());
    info.pVertexBindingDescriptions = bindings.data();
    info.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
    info.pVertexAttributeDescriptions = attributes.data();
  }
  VertexInput(const VertexInput &) = delete;
};

struct Viewports {
  std::vector<VkViewport> viewports;
  std::vector<VkRect2D> scissors;
  VkPipelineViewportDepthClipControlCreateInfoEXT depthClip = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, .negativeOneToOne = VK_TRUE};
  VkPipelineViewportStateCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};

  explicit Viewports(const Scene &scene) : viewports(scene.viewports), scissors(scene.scissors) {
    if (viewports.empty())
      viewports.push_back({0, 0, static_cast<float>(scene.width), static_cast<float>(scene.height), 0, 1});
    scissors.resize(viewports.size(), VkRect2D{{0, 0}, {scene.width, scene.height}});
    info.pNext = scene.negativeOneToOne ? &depthClip : nullptr;
    info.viewportCount = static_cast<uint32_t>(viewports.size());
    info.pViewports = viewports.data();
    info.scissorCount = static_cast<uint32_t>(scissors.size());
    info.pScissors = scissors.data();
  }
  Viewports(const Viewports &) = delete;
};

struct ColorOutput {
  std::vector<VkPipelineColorBlendAttachmentState> attachments;
  std::vector<VkFormat> formats;
  VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};

  explicit ColorOutput(const Scene &scene) {
    const PipelineState &state = scene.state;
    for (uint32_t index = 0; index < colorAttachmentCount(state); ++index) {
      const ColorTarget &target = state.colorTargets[index];
      attachments.push_back({.blendEnable = target.blendEnable,
                             .srcColorBlendFactor = target.srcColorBlendFactor,
                             .dstColorBlendFactor = target.dstColorBlendFactor,
                             .colorBlendOp = target.colorBlendOp,
                             .srcAlphaBlendFactor = target.srcAlphaBlendFactor,
                             .dstAlphaBlendFactor = target.dstAlphaBlendFactor,
                             .alphaBlendOp = target.alphaBlendOp,
                             .colorWriteMask = target.writeMask});
      formats.push_back(target.format);
    }
    blend.attachmentCount = static_cast<uint32_t>(attachments.size());
    blend.pAttachments = attachments.data();
    blend.logicOpEnable = scene.logicOpEnable;
    blend.logicOp = scene.logicOp;
    std::ranges::copy(scene.blendConstants, blend.blendConstants);
    rendering.viewMask = scene.viewMask;
    rendering.colorAttachmentCount = static_cast<uint32_t>(formats.size());
    rendering.pColorAttachmentFormats = formats.data();
    if (hasDepth(state.depthStencilFormat))
      rendering.depthAttachmentFormat = state.depthStencilFormat;
    if (hasStencil(state.depthStencilFormat))
      rendering.stencilAttachmentFormat = state.depthStencilFormat;
  }
  ColorOutput(const ColorOutput &) = delete;
};

VkPipelineDepthStencilStateCreateInfo describeDepthStencil(const Scene &scene) {
  auto describe = [](const SceneStencil &stencil) {
    return VkStencilOpState{.failOp = stencil.failOp,
                            .passOp = stencil.passOp,
                            .depthFailOp = stencil.depthFailOp,
                            .compareOp = stencil.compareOp,
                            .compareMask = stencil.compareMask,
                            .writeMask = stencil.writeMask,
                            .reference = stencil.reference};
  };
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
          .depthTestEnable = scene.depthTestEnable,
          .depthWriteEnable = scene.depthWriteEnable,
          .depthCompareOp = scene.depthCompareOp,
          .stencilTestEnable = scene.stencilTestEnable,
          .front = describe(scene.stencilFront),
          .back = describe(scene.stencilBack)};
}

// A module's use of subgroups, workgroup and descriptors.
struct ModuleUse {
  VkSubgroupFeatureFlags operations = 0;
  std::array<uint32_t, 3> localSize = {0, 0, 0}; // zeros if the sizes are no literals
  bool indexesNonUniformly = false;              // for arrays of descriptors
  bool interlocks = false;                       // for fragments
};

ModuleUse findModuleUse(const std::vector<uint32_t> &words) {
  constexpr uint32_t HeaderWords = 5, OpExecutionMode = 16, OpCapability = 17, LocalSizeMode = 17;
  // UniformBufferArrayNonUniformIndexing to StorageTexelBufferArrayNonUniformIndexing
  constexpr uint32_t FirstNonUniformIndexing = 5306, LastNonUniformIndexing = 5312;
  constexpr uint32_t SampleInterlock = 5363, PixelInterlock = 5378;
  constexpr std::pair<uint32_t, VkSubgroupFeatureFlags> Capabilities[] = {
      {18, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT}, // Groups, as in AMD_shader_ballot
      {61, VK_SUBGROUP_FEATURE_BASIC_BIT},      {62, VK_SUBGROUP_FEATURE_VOTE_BIT},
      {63, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT}, {64, VK_SUBGROUP_FEATURE_BALLOT_BIT},
      {65, VK_SUBGROUP_FEATURE_SHUFFLE_BIT},    {66, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
      {67, VK_SUBGROUP_FEATURE_CLUSTERED_BIT},  {68, VK_SUBGROUP_FEATURE_QUAD_BIT},
      {4423, VK_SUBGROUP_FEATURE_BALLOT_BIT},   {4431, VK_SUBGROUP_FEATURE_VOTE_BIT},
  };
  ModuleUse use;
  for (size_t at = HeaderWords; at < words.size();) {
    uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      break;
    if (opcode == OpCapability && length >= 2) {
      for (auto [capability, operation] : Capabilities)
        use.operations |= words[at + 1] == capability ? operation : 0;
      use.indexesNonUniformly |= words[at + 1] >= FirstNonUniformIndexing && words[at + 1] <= LastNonUniformIndexing;
      use.interlocks |= words[at + 1] == SampleInterlock || words[at + 1] == PixelInterlock;
    }
    if (opcode == OpExecutionMode && length >= 6 && words[at + 2] == LocalSizeMode)
      std::copy_n(&words[at + 3], 3, use.localSize.begin());
    at += length;
  }
  return use;
}

// lavapipe's subgroups are as wide as the CPU's vectors. With another subgroup size, shaders compute other results,
// unless a workgroup has no more invocations than the smaller subgroup.
Result<void> checkModule(const VulkanDevice &device, const SceneShader &shader) {
  ModuleUse use = findModuleUse(shader.words);
  // lavapipe uses one invocation's descriptor for all of its group. A group of fragments belongs to one primitive, and
  // the index is usually a flat input, so only compute shaders are refused.
  if (use.indexesNonUniformly && !device.hasNonUniformIndexing() && shader.stage == VK_SHADER_STAGE_COMPUTE_BIT)
    return makeError(ErrorCode::Unsupported, "lavapipe does not index arrays of descriptors non-uniformly");
  if (use.interlocks)
    return makeError(ErrorCode::Unsupported, "lavapipe has no fragment shader interlock");
  if (use.operations == 0)
    return {};
  const VkPhysicalDeviceSubgroupProperties &subgroups = device.subgroups();
  if (VkSubgroupFeatureFlags missing = use.operations & ~subgroups.supportedOperations)
    return makeError(ErrorCode::Unsupported, "lavapipe lacks the subgroup operations {:#x}", missing);
  bool isNarrow = use.localSize[0] > 0 && use.localSize[0] <= subgroups.subgroupSize && use.localSize[1] == 1 &&
                  use.localSize[2] == 1;
  if (shader.stage != VK_SHADER_STAGE_COMPUTE_BIT || !isNarrow)
    return makeError(ErrorCode::Unsupported, "lavapipe's subgroups have {} invocations, which changes what is computed",
                     subgroups.subgroupSize);
  return {};
}

} // namespace

Result<StageList> makeStages(const VulkanDevice &device, const Scene &scene, Garbage &garbage) {
  StageList list;
  for (const SceneShader &shader : scene.shaders) {
    DOVETAIL_CHECK(checkModule(device, shader));
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = shader.words.size() * sizeof(uint32_t),
                                     .pCode = shader.words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    DOVETAIL_CHECK(checkVk("vkCreateShaderModule", vkCreateShaderModule(device.handle(), &info, nullptr, &module)));
    garbage.add([device = device.handle(), module] { vkDestroyShaderModule(device, module, nullptr); });
    list.stages.push_back({.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                           .stage = shader.stage,
                           .module = module,
                           .pName = shader.entryPoint.c_str(),
                           .pSpecializationInfo = makeSpecialization(shader, garbage)});
    list.mask |= shader.stage;
  }
  return list;
}

Result<VkPipeline> makeComputePipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                       Garbage &garbage) {
  StageList list = DOVETAIL_TRY(makeStages(device, scene, garbage));
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .stage = list.stages.front(),
                                      .layout = layout,
                                      .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  DOVETAIL_CHECK(checkVk("vkCreateComputePipelines",
                         vkCreateComputePipelines(device.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline)));
  garbage.add([device = device.handle(), pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

Result<VkPipeline> makeGraphicsPipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                        VkRenderPass renderPass, Garbage &garbage) {
  DOVETAIL_CHECK(checkState(device, scene));
  const PipelineState &state = scene.state;
  StageList list = DOVETAIL_TRY(makeStages(device, scene, garbage));
  VertexInput vertexInput(scene);
  Viewports viewports(scene);
  ColorOutput colorOutput(scene);
  VkPipelineInputAssemblyStateCreateInfo assembly = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                     .topology = state.topology,
                                                     .primitiveRestartEnable = scene.primitiveRestart};
  VkPipelineTessellationDomainOriginStateCreateInfo domainOrigin = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
      .domainOrigin = state.tessellationDomainLowerLeft ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                                        : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT};
  VkPipelineTessellationStateCreateInfo tessellation = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                        .pNext = &domainOrigin,
                                                        .patchControlPoints = state.patchControlPoints};
  VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provokingVertex = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
  VkPipelineRasterizationLineStateCreateInfoEXT lines = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
      .pNext = state.flatProvokingVertexLast ? &provokingVertex : nullptr,
      .lineRasterizationMode = scene.lineMode};
  VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = scene.lineMode == VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT ? lines.pNext : &lines,
      .depthClampEnable = state.depthClampEnable,
      .rasterizerDiscardEnable = state.rasterizerDiscardEnable,
      .polygonMode = scene.polygonMode,
      .cullMode = scene.cullMode,
      .frontFace = scene.frontFace,
      .depthBiasEnable = scene.depthBiasEnable,
      .depthBiasConstantFactor = scene.depthBiasConstant,
      .depthBiasClamp = scene.depthBiasClamp,
      .depthBiasSlopeFactor = scene.depthBiasSlope,
      .lineWidth = scene.lineWidth};
  VkSampleMask sampleMask = scene.sampleMask;
  VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = static_cast<VkSampleCountFlagBits>(state.rasterizationSamples),
      .sampleShadingEnable = state.sampleShadingEnable,
      .minSampleShading = 1,
      .pSampleMask = &sampleMask,
      .alphaToCoverageEnable = state.alphaToCoverageEnable,
      .alphaToOneEnable = state.alphaToOneEnable};
  VkPipelineDepthStencilStateCreateInfo depthStencil = describeDepthStencil(scene);
  bool isTessellated = list.mask & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                       .pNext = renderPass ? nullptr : &colorOutput.rendering,
                                       .stageCount = static_cast<uint32_t>(list.stages.size()),
                                       .pStages = list.stages.data(),
                                       .pVertexInputState = &vertexInput.info,
                                       .pInputAssemblyState = &assembly,
                                       .pTessellationState = isTessellated ? &tessellation : nullptr,
                                       .pViewportState = &viewports.info,
                                       .pRasterizationState = &rasterization,
                                       .pMultisampleState = &multisample,
                                       .pDepthStencilState = &depthStencil,
                                       .pColorBlendState = &colorOutput.blend,
                                       .layout = layout,
                                       .renderPass = renderPass,
                                       .basePipelineIndex = -1};
  VkPipeline pipeline = VK_NULL_HANDLE;
  DOVETAIL_CHECK(checkVk("vkCreateGraphicsPipelines",
                         vkCreateGraphicsPipelines(device.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline)));
  garbage.add([device = device.handle(), pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

} // namespace dovetail::reference

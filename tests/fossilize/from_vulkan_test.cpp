// SPDX-License-Identifier: MIT
//
// Create-infos become objects, without the state that Vulkan ignores.
#include "tools/common/fossilize/from_vulkan.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

ObjectHash hashOf(VkObjectType type, uint64_t handle) {
  return {handle ? uint64_t(type) << 32 | handle : 0};
}

template <typename Handle> Handle handle(uint64_t number) {
  return reinterpret_cast<Handle>(number);
}

// A pipeline with a vertex and a fragment shader and every state.
struct Info {
  Info() {
    stages[0] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                 nullptr,
                 0,
                 VK_SHADER_STAGE_VERTEX_BIT,
                 handle<VkShaderModule>(1),
                 "front",
                 &specialization};
    stages[1] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                 nullptr,
                 0,
                 VK_SHADER_STAGE_FRAGMENT_BIT,
                 handle<VkShaderModule>(2),
                 "back",
                 nullptr};
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &inputAssembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &rasterization;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = &depthStencil;
    info.pColorBlendState = &colorBlend;
    info.pDynamicState = &dynamic;
    info.layout = handle<VkPipelineLayout>(3);
    vertexInput.vertexAttributeDescriptionCount = 1;
    vertexInput.pVertexAttributeDescriptions = &attribute;
    vertexInput.vertexBindingDescriptionCount = 1;
    vertexInput.pVertexBindingDescriptions = &binding;
    multisample.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
    colorBlend.attachmentCount = 1;
    colorBlend.pAttachments = &blend;
  }
  uint32_t value = 42;
  VkSpecializationMapEntry entry = {9, 0, 4};
  VkSpecializationInfo specialization = {1, &entry, 4, &value};
  VkPipelineShaderStageCreateInfo stages[2] = {};
  VkVertexInputAttributeDescription attribute = {1, 2, VK_FORMAT_R8_UNORM, 3};
  VkVertexInputBindingDescription binding = {2, 16, VK_VERTEX_INPUT_RATE_INSTANCE};
  VkPipelineVertexInputStateCreateInfo vertexInput = {};
  VkPipelineInputAssemblyStateCreateInfo inputAssembly = {};
  VkPipelineViewportStateCreateInfo viewport = {};
  VkPipelineRasterizationStateCreateInfo rasterization = {};
  VkPipelineMultisampleStateCreateInfo multisample = {};
  VkPipelineDepthStencilStateCreateInfo depthStencil = {};
  VkPipelineColorBlendAttachmentState blend = {};
  VkPipelineColorBlendStateCreateInfo colorBlend = {};
  VkPipelineDynamicStateCreateInfo dynamic = {};
  VkGraphicsPipelineCreateInfo info = {};
};

} // namespace

TEST_CASE("a graphics pipeline is copied with hashes for handles") {
  Info given;
  const GraphicsPipeline pipeline = fromVulkan(given.info, hashOf);
  CHECK(pipeline.layout == hashOf(VK_OBJECT_TYPE_PIPELINE_LAYOUT, 3));
  REQUIRE(pipeline.stages->size() == 2);
  CHECK(pipeline.stages->front().module == hashOf(VK_OBJECT_TYPE_SHADER_MODULE, 1));
  CHECK(pipeline.stages->front().name == "front");
  CHECK(pipeline.stages->front().specializationInfo->data == Data{42, 0, 0, 0});
  CHECK(pipeline.stages->front().specializationInfo->mapEntries[0].constantID == 9);
  CHECK(pipeline.vertexInputState->attributes[0].format == VK_FORMAT_R8_UNORM);
  CHECK(pipeline.vertexInputState->bindings[0].stride == 16);
  CHECK(pipeline.multisampleState->rasterizationSamples == VK_SAMPLE_COUNT_4_BIT);
  CHECK(pipeline.colorBlendState->attachments.size() == 1);
  CHECK_FALSE(pipeline.renderPass);
}

TEST_CASE("state behind a rasteriser that discards is left out, as nobody may look at it") {
  Info given;
  given.rasterization.rasterizerDiscardEnable = true;
  given.info.pMultisampleState = reinterpret_cast<const VkPipelineMultisampleStateCreateInfo *>(1); // an address that
                                                                                                    // must not be read
  given.info.pViewportState = nullptr;
  const GraphicsPipeline pipeline = fromVulkan(given.info, hashOf);
  CHECK_FALSE(pipeline.multisampleState);
  CHECK_FALSE(pipeline.colorBlendState);
  CHECK(pipeline.vertexInputState);
}

TEST_CASE("a vertex input that is dynamic is left out") {
  Info given;
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  given.dynamic.dynamicStateCount = 1;
  given.dynamic.pDynamicStates = states;
  const GraphicsPipeline pipeline = fromVulkan(given.info, hashOf);
  CHECK_FALSE(pipeline.vertexInputState);
  CHECK(pipeline.dynamicState->dynamicState == std::vector<uint32_t>{VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
}

TEST_CASE("a library has the state of its pieces alone") {
  Info given;
  VkGraphicsPipelineLibraryCreateInfoEXT pieces = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, nullptr,
                                                   VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT};
  given.info.pNext = &pieces;
  const GraphicsPipeline pipeline = fromVulkan(given.info, hashOf);
  CHECK(pipeline.libraryPieces->flags == VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT);
  CHECK(pipeline.vertexInputState);
  CHECK_FALSE(pipeline.stages);
  CHECK_FALSE(pipeline.rasterizationState);
  CHECK_FALSE(pipeline.multisampleState);
}

TEST_CASE("a pipeline that links libraries has nothing of its own") {
  Info given;
  const VkPipeline linked[] = {handle<VkPipeline>(5), handle<VkPipeline>(6)};
  VkPipelineLibraryCreateInfoKHR libraries = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 2, linked};
  given.info.pNext = &libraries;
  const GraphicsPipeline pipeline = fromVulkan(given.info, hashOf);
  CHECK(pipeline.libraries->libraries ==
        std::vector<ObjectHash>{hashOf(VK_OBJECT_TYPE_PIPELINE, 5), hashOf(VK_OBJECT_TYPE_PIPELINE, 6)});
  CHECK_FALSE(pipeline.stages);
}

TEST_CASE("immutable samplers count only where a binding has samplers") {
  const VkSampler samplers[] = {handle<VkSampler>(7)};
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, samplers},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, 0, reinterpret_cast<const VkSampler *>(1)}};
  VkDescriptorSetLayoutCreateInfo info = {};
  info.bindingCount = 2;
  info.pBindings = bindings;
  const DescriptorSetLayout layout = fromVulkan(info, hashOf);
  CHECK(layout.bindings[0].immutableSamplers == std::vector<ObjectHash>{hashOf(VK_OBJECT_TYPE_SAMPLER, 7)});
  CHECK_FALSE(layout.bindings[1].immutableSamplers);
}

TEST_CASE("a sampler has what its YCbCr conversion was made of") {
  VkSamplerYcbcrConversionCreateInfo conversion = {};
  conversion.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
  conversion.ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709;
  conversion.components = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R,
                           VK_COMPONENT_SWIZZLE_ONE};
  conversion.chromaFilter = VK_FILTER_LINEAR;
  const VkSamplerYcbcrConversionInfo link = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, nullptr,
                                             handle<VkSamplerYcbcrConversion>(9)};
  VkSamplerCreateInfo info = {};
  info.pNext = &link;
  const Sampler sampler = fromVulkan(info, [&](VkSamplerYcbcrConversion asked) {
    CHECK(asked == handle<VkSamplerYcbcrConversion>(9));
    return fromVulkan(conversion);
  });
  REQUIRE(sampler.ycbcrConversion);
  CHECK(sampler.ycbcrConversion->format == conversion.format);
  CHECK(sampler.ycbcrConversion->ycbcrModel == conversion.ycbcrModel);
  CHECK(sampler.ycbcrConversion->components == std::vector<uint32_t>{5, 4, 3, 2});
  CHECK(sampler.ycbcrConversion->chromaFilter == VK_FILTER_LINEAR);
  info.pNext = nullptr;
  CHECK_FALSE(fromVulkan(info, {}).ycbcrConversion);
}

TEST_CASE("both versions of a render pass say the same about a subpass") {
  VkAttachmentReference color = {1, VK_IMAGE_LAYOUT_GENERAL}, depth = {0, VK_IMAGE_LAYOUT_GENERAL};
  VkAttachmentDescription attachments[2] = {};
  attachments[1].format = VK_FORMAT_R8_UNORM;
  VkSubpassDescription subpass = {};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pDepthStencilAttachment = &depth;
  VkRenderPassCreateInfo info = {};
  info.attachmentCount = 2;
  info.pAttachments = attachments;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  const RenderPass first = fromVulkan(info);
  CHECK(first.subpasses[0].colorAttachments[0].attachment == 1);
  CHECK(usesColor(first, 0));
  CHECK(usesDepthStencil(first, 0));
  CHECK_FALSE(usesColor(first, 1));

  VkAttachmentReference2 color2 = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, VK_ATTACHMENT_UNUSED,
                                   VK_IMAGE_LAYOUT_GENERAL, 1};
  VkSubpassDescription2 subpass2 = {};
  subpass2.viewMask = 3;
  subpass2.colorAttachmentCount = 1;
  subpass2.pColorAttachments = &color2;
  VkRenderPassCreateInfo2 info2 = {};
  info2.subpassCount = 1;
  info2.pSubpasses = &subpass2;
  const RenderPass second = fromVulkan(info2);
  CHECK(second.isVersion2);
  CHECK(second.subpasses[0].viewMask == 3);
  CHECK_FALSE(usesColor(second, 0));
  CHECK_FALSE(usesDepthStencil(second, 0));
}

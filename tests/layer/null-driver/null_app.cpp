// SPDX-License-Identifier: MIT
#include "tests/layer/null-driver/null_app.h"
#include "layer_shaders.inc" // made by the build

namespace dovetail::null_driver {

App::App(const char *layer, size_t pipelineCount, bool isDynamic) : m_device(layer) {
  m_bindPipeline = m_device.function<PFN_vkCmdBindPipeline>("vkCmdBindPipeline");
  m_pushConstants = m_device.function<PFN_vkCmdPushConstants>("vkCmdPushConstants");
  m_setTopology = m_device.function<PFN_vkCmdSetPrimitiveTopology>("vkCmdSetPrimitiveTopology");
  m_draw = m_device.function<PFN_vkCmdDraw>("vkCmdDraw");
  m_device.function<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(m_device.handle(), 0, 0, &m_queue);
  makeCommandBuffer();
  const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof m_constants};
  const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
  m_device.function<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(m_device.handle(), &layout, nullptr,
                                                                          &m_layout);
  m_vertex = makeModule(quad_vert, sizeof quad_vert);
  m_fragment = makeModule(color_frag, sizeof color_frag);
  for (size_t number = 0; number < pipelineCount; ++number)
    m_pipelines.push_back(makePipeline(number, isDynamic));
}

void App::makeCommandBuffer() {
  VkCommandPool pool = VK_NULL_HANDLE;
  const VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  m_device.function<PFN_vkCreateCommandPool>("vkCreateCommandPool")(m_device.handle(), &poolInfo, nullptr, &pool);
  const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
  m_device.function<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(m_device.handle(), &info, &m_commands);
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  m_device.function<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(m_commands, &begin);
}

VkShaderModule App::makeModule(const uint32_t *words, size_t size) {
  const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
  VkShaderModule module = VK_NULL_HANDLE;
  m_device.function<PFN_vkCreateShaderModule>("vkCreateShaderModule")(m_device.handle(), &info, nullptr, &module);
  return module;
}

VkPipeline App::makePipeline(size_t number, bool isDynamic) {
  constexpr size_t Brightnesses = 8;
  const float brightness = 1 + static_cast<float>(number % Brightnesses);
  const VkSpecializationMapEntry entry = {0, 0, sizeof brightness};
  const VkSpecializationInfo special = {1, &entry, sizeof brightness, &brightness};
  const VkPipelineShaderStageCreateInfo stages[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                     .module = m_vertex,
                                                     .pName = "main"},
                                                    {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     .module = m_fragment,
                                                     .pName = "main",
                                                     .pSpecializationInfo = &special}};
  const VkVertexInputBindingDescription binding = {0, 12, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                                                          {1, 0, VK_FORMAT_R8G8B8A8_UNORM, 8}};
  const VkPipelineVertexInputStateCreateInfo vertexInput = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 2,
      .pVertexAttributeDescriptions = attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineViewportStateCreateInfo viewports = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  VkPipelineColorBlendAttachmentState attachment = {};
  attachment.blendEnable = number / Brightnesses % 2 != 0;
  attachment.srcColorBlendFactor = attachment.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  attachment.colorWriteMask = static_cast<VkColorComponentFlags>(number / Brightnesses / 2 % 15 + 1);
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = 1,
                                                     .pAttachments = &attachment};
  const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                          VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
  const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                    .dynamicStateCount = isDynamic ? 3u : 2u,
                                                    .pDynamicStates = dynamicStates};
  const VkFormat target = VK_FORMAT_R8G8B8A8_UNORM;
  const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                   .colorAttachmentCount = 1,
                                                   .pColorAttachmentFormats = &target};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &rendering,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &vertexInput,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &viewports,
                                             .pRasterizationState = &raster,
                                             .pMultisampleState = &multisample,
                                             .pColorBlendState = &blend,
                                             .pDynamicState = &dynamic,
                                             .layout = m_layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  m_device.function<PFN_vkCreateGraphicsPipelines>("vkCreateGraphicsPipelines")(m_device.handle(), VK_NULL_HANDLE, 1,
                                                                                &info, nullptr, &pipeline);
  return pipeline;
}

void App::present() {
  const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  m_device.function<PFN_vkQueuePresentKHR>("vkQueuePresentKHR")(m_queue, &info);
}

void App::namePipeline(size_t number, const char *name) {
  const VkDebugMarkerObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
                                               .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT,
                                               .object = reinterpret_cast<uint64_t>(m_pipelines[number]),
                                               .pObjectName = name};
  m_device.function<PFN_vkDebugMarkerSetObjectNameEXT>("vkDebugMarkerSetObjectNameEXT")(m_device.handle(), &info);
}

} // namespace dovetail::null_driver

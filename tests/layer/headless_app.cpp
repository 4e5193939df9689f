// SPDX-License-Identifier: MIT
#include "tests/layer/headless_app.h"
#include "layer_shaders.inc" // made by the build
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace dovetail::headless {

namespace {

struct Vertex {
  float x, y;
  std::array<uint8_t, 4> color;
};
constexpr Vertex Vertices[] = {
    {-1, -1, {255, 0, 0, 255}}, {1, -1, {0, 255, 0, 128}}, {-1, 1, {0, 0, 255, 64}}, {1, 1, {255, 255, 0, 255}}};
constexpr VkFormat Integers = VK_FORMAT_R32G32B32A32_UINT;

uint64_t hashOf(const uint8_t *bytes, size_t size) {
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (size_t index = 0; index < size; ++index)
    hash = (hash ^ bytes[index]) * 1099511628211u;
  return hash;
}

template <size_t Count> VkShaderModule makeModule(VkDevice device, const uint32_t (&words)[Count]) {
  VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, sizeof words, words};
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(device, &info, nullptr, &module), "vkCreateShaderModule");
  return module;
}

// Everything that a quad's vertices are read with.
constexpr VkVertexInputBindingDescription Binding = {0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
constexpr VkVertexInputAttributeDescription Attributes[] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                                                            {1, 0, VK_FORMAT_R8G8B8A8_UNORM, 8}};

} // namespace

void check(VkResult result, const char *call) {
  if (result == VK_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %d\n", call, result);
  std::exit(1);
}

App::App() {
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "Quads";
  application.pEngineName = "headless";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instanceInfo = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instanceInfo.pApplicationInfo = &application;
  const char *debugUtils = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  instanceInfo.enabledExtensionCount = 1;
  instanceInfo.ppEnabledExtensionNames = &debugUtils;
  check(vkCreateInstance(&instanceInfo, nullptr, &m_instance), "vkCreateInstance");
  uint32_t count = 1;
  check(vkEnumeratePhysicalDevices(m_instance, &count, &m_physicalDevice), "vkEnumeratePhysicalDevices");

  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
  VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT vertexInput = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, &libraries};
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamicState = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, &vertexInput};
  VkPhysicalDeviceVulkan13Features features13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &dynamicState};
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features13};
  vkGetPhysicalDeviceFeatures2(m_physicalDevice, &features);
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  const char *extensions[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                              VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                              VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                              VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME};
  VkDeviceCreateInfo deviceInfo = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  deviceInfo.queueCreateInfoCount = 1;
  deviceInfo.pQueueCreateInfos = &queue;
  deviceInfo.enabledExtensionCount = std::size(extensions);
  deviceInfo.ppEnabledExtensionNames = extensions;
  check(vkCreateDevice(m_physicalDevice, &deviceInfo, nullptr, &m_device), "vkCreateDevice");
  vkGetDeviceQueue(m_device, 0, 0, &m_queue);

  m_vertex = makeModule(m_device, quad_vert);
  m_fragment = makeModule(m_device, color_frag);
  m_compute = makeModule(m_device, count_comp);
  name(VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<uint64_t>(m_fragment), "colors");
  VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 12};
  VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  check(vkCreatePipelineLayout(m_device, &layout, nullptr, &m_layout), "vkCreatePipelineLayout");
  VkDescriptorSetLayoutBinding numbers = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                          nullptr};
  VkDescriptorSetLayoutCreateInfo setLayout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1,
                                               &numbers};
  check(vkCreateDescriptorSetLayout(m_device, &setLayout, nullptr, &m_setLayout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo computeLayout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1,
                                              &m_setLayout};
  check(vkCreatePipelineLayout(m_device, &computeLayout, nullptr, &m_computeLayout), "vkCreatePipelineLayout");

  m_vertices = makeBuffer(sizeof Vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  std::memcpy(m_vertices.data, Vertices, sizeof Vertices);
  m_readback = makeBuffer(VkDeviceSize(Size) * Size * 16, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  m_numbers = makeBuffer(NumberCount * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  m_image = makeImage(VK_FORMAT_R8G8B8A8_UNORM);
  m_integers = makeImage(Integers);

  VkDescriptorPoolSize poolSize = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &poolSize};
  check(vkCreateDescriptorPool(m_device, &poolInfo, nullptr, &m_descriptorPool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, m_descriptorPool, 1,
                                         &m_setLayout};
  check(vkAllocateDescriptorSets(m_device, &setInfo, &m_descriptors), "vkAllocateDescriptorSets");
  VkDescriptorBufferInfo bufferInfo = {m_numbers.buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = m_descriptors;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &bufferInfo;
  vkUpdateDescriptorSets(m_device, 1, &write, 0, nullptr);
}

void App::name(VkObjectType type, uint64_t handle, const char *text) {
  const VkDebugUtilsObjectNameInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type, handle,
                                              text};
  const auto set = reinterpret_cast<PFN_vkSetDebugUtilsObjectNameEXT>(
      vkGetInstanceProcAddr(m_instance, "vkSetDebugUtilsObjectNameEXT"));
  check(set(m_device, &info), "vkSetDebugUtilsObjectNameEXT");
}

App::~App() {
  for (VkPipeline pipeline : m_pipelines)
    vkDestroyPipeline(m_device, pipeline, nullptr);
  for (VkCommandPool pool : m_pools)
    vkDestroyCommandPool(m_device, pool, nullptr);
  vkDestroyDescriptorPool(m_device, m_descriptorPool, nullptr);
  for (const Image &image : {m_image, m_integers}) {
    vkDestroyImageView(m_device, image.view, nullptr);
    vkDestroyImage(m_device, image.image, nullptr);
    vkFreeMemory(m_device, image.memory, nullptr);
  }
  for (const Buffer &buffer : {m_vertices, m_readback, m_numbers}) {
    vkDestroyBuffer(m_device, buffer.buffer, nullptr);
    vkFreeMemory(m_device, buffer.memory, nullptr);
  }
  vkDestroyPipelineLayout(m_device, m_layout, nullptr);
  vkDestroyPipelineLayout(m_device, m_computeLayout, nullptr);
  vkDestroyDescriptorSetLayout(m_device, m_setLayout, nullptr);
  for (VkShaderModule module : {m_vertex, m_fragment, m_compute})
    vkDestroyShaderModule(m_device, module, nullptr);
  vkDestroyDevice(m_device, nullptr);
  vkDestroyInstance(m_instance, nullptr);
}

VkDeviceMemory App::allocate(const VkMemoryRequirements &needs) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, 0}; // lavapipe has one type
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(vkAllocateMemory(m_device, &info, nullptr, &memory), "vkAllocateMemory");
  return memory;
}

App::Buffer App::makeBuffer(VkDeviceSize size, VkBufferUsageFlags usage) {
  Buffer made;
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, size, usage};
  check(vkCreateBuffer(m_device, &info, nullptr, &made.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(m_device, made.buffer, &needs);
  made.memory = allocate(needs);
  check(vkBindBufferMemory(m_device, made.buffer, made.memory, 0), "vkBindBufferMemory");
  void *data = nullptr;
  check(vkMapMemory(m_device, made.memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  made.data = static_cast<uint8_t *>(data);
  std::memset(made.data, 0, size);
  return made;
}

App::Image App::makeImage(VkFormat format) {
  Image made;
  VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {Size, Size, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  check(vkCreateImage(m_device, &info, nullptr, &made.image), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(m_device, made.image, &needs);
  made.memory = allocate(needs);
  check(vkBindImageMemory(m_device, made.image, made.memory, 0), "vkBindImageMemory");
  VkImageViewCreateInfo view = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = made.image;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  check(vkCreateImageView(m_device, &view, nullptr, &made.view), "vkCreateImageView");
  return made;
}

VkPipeline App::makePart(const PipelineChoice &choice, VkGraphicsPipelineLibraryFlagsEXT sections,
                         const std::vector<VkPipeline> &libraries) {
  VkSpecializationMapEntry entry = {0, 0, sizeof(float)};
  VkSpecializationInfo special = {1, &entry, sizeof(float), &choice.brightness};
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  const auto addStage = [&](VkShaderStageFlagBits stage, VkShaderModule module, const VkSpecializationInfo *constants) {
    stages.push_back(
        {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, stage, module, "main", constants});
  };
  if (sections & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT)
    addStage(VK_SHADER_STAGE_VERTEX_BIT, m_vertex, nullptr);
  if (sections & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)
    addStage(VK_SHADER_STAGE_FRAGMENT_BIT, m_fragment, &special);

  VkPipelineVertexInputStateCreateInfo vertexInput = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  vertexInput.vertexBindingDescriptionCount = 1;
  vertexInput.pVertexBindingDescriptions = &Binding;
  vertexInput.vertexAttributeDescriptionCount = std::size(Attributes);
  vertexInput.pVertexAttributeDescriptions = Attributes;
  VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = choice.topology;
  VkViewport viewport = {0, 0, Size, Size, 0, 1};
  VkRect2D scissor = {{0, 0}, {Size, Size}};
  VkPipelineViewportStateCreateInfo viewports = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &viewport, 1, &scissor};
  VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo multisample = {VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depth = {VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState attachment = {};
  attachment.blendEnable = choice.blends;
  attachment.srcColorBlendFactor = attachment.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  attachment.dstColorBlendFactor = attachment.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  attachment.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blend = {VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &attachment;
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0,
                                              uint32_t(choice.dynamic.size()), choice.dynamic.data()};

  VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &choice.target;
  VkGraphicsPipelineLibraryCreateInfoEXT library = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
                                                    &rendering, sections};
  VkPipelineLibraryCreateInfoKHR linked = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, &rendering,
                                           uint32_t(libraries.size()), libraries.data()};
  constexpr VkGraphicsPipelineLibraryFlagsEXT All = 0xf;
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pNext = !libraries.empty() ? static_cast<void *>(&linked)
               : sections != All  ? &library
                                  : static_cast<void *>(&rendering);
  info.flags = libraries.empty() && sections != All ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0;
  info.layout = m_layout;
  if (libraries.empty()) {
    info.stageCount = uint32_t(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewports;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
  }
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateGraphicsPipelines(m_device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateGraphicsPipelines");
  m_pipelines.push_back(pipeline);
  return pipeline;
}

VkPipeline App::makePipeline(const PipelineChoice &choice) {
  return makePart(choice, 0xf, {});
}

VkPipeline App::linkPipeline(const PipelineChoice &choice) {
  std::vector<VkPipeline> libraries;
  for (uint32_t section = 1; section <= 8; section *= 2)
    libraries.push_back(makePart(choice, section, {}));
  return makePart(choice, 0, libraries);
}

VkPipeline App::makeComputePipeline() {
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                nullptr,
                0,
                VK_SHADER_STAGE_COMPUTE_BIT,
                m_compute,
                "main",
                nullptr};
  info.layout = m_computeLayout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateComputePipelines(m_device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateComputePipelines");
  m_pipelines.push_back(pipeline);
  return pipeline;
}

VkCommandBuffer App::begin() {
  VkCommandPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool = VK_NULL_HANDLE;
  check(vkCreateCommandPool(m_device, &poolInfo, nullptr, &pool), "vkCreateCommandPool");
  m_pools.push_back(pool);
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(m_device, &info, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo beginInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(commands, &beginInfo), "vkBeginCommandBuffer");
  return commands;
}

void App::beginRendering(VkCommandBuffer commands, VkFormat target) {
  const Image &image = target == Integers ? m_integers : m_image;
  m_target = image.image;
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = image.view;
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea = {{0, 0}, {Size, Size}};
  info.layerCount = 1;
  info.colorAttachmentCount = 1;
  info.pColorAttachments = &attachment;
  vkCmdBeginRendering(commands, &info);
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &m_vertices.buffer, &offset);
}

void App::setVertexInput(VkCommandBuffer commands) {
  const auto set = function<PFN_vkCmdSetVertexInputEXT>("vkCmdSetVertexInputEXT");
  VkVertexInputBindingDescription2EXT binding = {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
                                                 nullptr,
                                                 Binding.binding,
                                                 Binding.stride,
                                                 Binding.inputRate,
                                                 1};
  std::vector<VkVertexInputAttributeDescription2EXT> attributes;
  for (const VkVertexInputAttributeDescription &attribute : Attributes)
    attributes.push_back({VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, attribute.location,
                          attribute.binding, attribute.format, attribute.offset});
  set(commands, 1, &binding, uint32_t(attributes.size()), attributes.data());
}

void App::drawQuad(VkCommandBuffer commands, float x, float y, float scale) {
  const float place[] = {x, y, scale};
  vkCmdPushConstants(commands, m_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof place, place);
  vkCmdDraw(commands, std::size(Vertices), 1, 0, 0);
}

void App::submit(VkCommandBuffer commands) {
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  submitAgain(commands);
}

void App::submitAgain(VkCommandBuffer commands) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(vkQueueSubmit(m_queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(m_queue), "vkQueueWaitIdle");
}

uint64_t App::finishRendering(VkCommandBuffer commands) {
  vkCmdEndRendering(commands);
  VkBufferImageCopy region = {};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {Size, Size, 1};
  vkCmdCopyImageToBuffer(commands, m_target, VK_IMAGE_LAYOUT_GENERAL, m_readback.buffer, 1, &region);
  submit(commands);
  return hashOf(m_readback.data, size_t(Size) * Size * (m_target == m_integers.image ? 16 : 4));
}

uint64_t App::finishCompute(VkCommandBuffer commands, VkPipeline pipeline) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, m_computeLayout, 0, 1, &m_descriptors, 0, nullptr);
  vkCmdDispatch(commands, NumberCount / 64, 1, 1);
  submit(commands);
  return hashOfNumbers();
}

uint64_t App::hashOfNumbers() const {
  return hashOf(m_numbers.data, NumberCount * 4);
}

} // namespace dovetail::headless

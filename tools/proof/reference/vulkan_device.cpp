// SPDX-License-Identifier: MIT
#include "tools/proof/reference/vulkan_device.h"
#include "src/state/format_table.h"
#include <algorithm>
#include <string_view>

namespace dovetail::reference {

namespace {

// Extensions that scenes can use, if the device has them. Vulkan 1.3 has the rest.
constexpr const char *WantedExtensions[] = {
    VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
    VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME,
    VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME,
    VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME,
    VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
    VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME,
    VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
    VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME,
    VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME,
    VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME,
    VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME,
    VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
    VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
    VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
    VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME,
};

// A chain of all feature structs, so that the device is made with all features that it offers.
struct FeatureChain {
  VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT};
  VkPhysicalDeviceProvokingVertexFeaturesEXT provokingVertex = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT};
  VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT listRestart = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};
  VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomicFloat2 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT transformFeedback = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT};
  VkPhysicalDeviceLineRasterizationFeaturesEXT lines = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT};
  VkPhysicalDeviceDepthClipControlFeaturesEXT depthClipControl = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT};
  VkPhysicalDeviceVulkan11Features vulkan11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features vulkan13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};

  explicit FeatureChain(const std::vector<const char *> &extensions) {
    append(vulkan11);
    append(vulkan12);
    append(vulkan13);
    auto has = [&](std::string_view name) { return std::ranges::find(extensions, name) != extensions.end(); };
    if (has(VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME))
      append(divisor);
    if (has(VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME))
      append(provokingVertex);
    if (has(VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME))
      append(listRestart);
    if (has(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME))
      append(atomicFloat);
    if (has(VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME))
      append(atomicFloat2);
    if (has(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
      append(transformFeedback);
    if (has(VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME))
      append(lines);
    if (has(VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME))
      append(depthClipControl);
  }

private:
  template <typename Struct> void append(Struct &next) {
    next.pNext = features.pNext;
    features.pNext = &next;
  }
};

uint32_t memoryType(const VkPhysicalDeviceMemoryProperties &memory, uint32_t allowed, VkMemoryPropertyFlags flags) {
  for (uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if ((allowed & (1u << type)) && (memory.memoryTypes[type].propertyFlags & flags) == flags)
      return type;
  return UINT32_MAX;
}

std::string printSize(const ImageDescription &description) {
  return fmt::format("{}x{}x{} texels, {} layers, {} levels, {} samples", description.extent.width,
                     description.extent.height, description.extent.depth, description.layers, description.mipLevels,
                     description.samples);
}

} // namespace

Result<void> checkVk(const char *call, VkResult result) {
  if (result != VK_SUCCESS)
    return makeError(ErrorCode::Unsupported, "lavapipe: {} gives {}", call, static_cast<int>(result));
  return {};
}

Result<std::unique_ptr<VulkanDevice>> VulkanDevice::open() {
  std::unique_ptr<VulkanDevice> device(new VulkanDevice);
  DOVETAIL_CHECK(device->openInstance());
  DOVETAIL_CHECK(device->openDevice());
  return device;
}

VulkanDevice::~VulkanDevice() {
  if (m_device) {
    vkDestroyCommandPool(m_device, m_commandPool, nullptr);
    vkDestroyDevice(m_device, nullptr);
  }
  if (m_instance)
    vkDestroyInstance(m_instance, nullptr);
}

Result<void> VulkanDevice::openInstance() {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  if (vkCreateInstance(&info, nullptr, &m_instance) != VK_SUCCESS) {
    m_instance = VK_NULL_HANDLE;
    return makeError(ErrorCode::Unsupported, "there is no Vulkan driver (is mesa-vulkan-drivers installed?)");
  }
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(m_instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(m_instance, &count, devices.data());
  for (VkPhysicalDevice device : devices) {
    vkGetPhysicalDeviceProperties(device, &m_properties);
    if (std::string_view(m_properties.deviceName).starts_with("llvmpipe")) {
      m_physical = device;
      return {};
    }
  }
  return makeError(ErrorCode::Unsupported, "no device is lavapipe's (is mesa-vulkan-drivers installed?)");
}

Result<void> VulkanDevice::openDevice() {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(m_physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> available(count);
  vkEnumerateDeviceExtensionProperties(m_physical, nullptr, &count, available.data());
  std::vector<const char *> extensions;
  for (const char *wanted : WantedExtensions)
    if (std::ranges::any_of(available,
                            [&](const auto &entry) { return std::string_view(entry.extensionName) == wanted; }))
      extensions.push_back(wanted);

  m_subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            .pNext = &m_subgroups};
  vkGetPhysicalDeviceProperties2(m_physical, &properties);
  FeatureChain chain(extensions);
  vkGetPhysicalDeviceFeatures2(m_physical, &chain.features);
  const VkPhysicalDeviceVulkan12Features &features = chain.vulkan12;
  m_hasBufferAddresses = features.bufferDeviceAddress;
  m_hasNonUniformIndexing =
      features.shaderUniformBufferArrayNonUniformIndexing && features.shaderStorageBufferArrayNonUniformIndexing &&
      features.shaderSampledImageArrayNonUniformIndexing && features.shaderStorageImageArrayNonUniformIndexing;
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = 0,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &chain.features,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                             .ppEnabledExtensionNames = extensions.data()};
  DOVETAIL_CHECK(checkVk("vkCreateDevice", vkCreateDevice(m_physical, &info, nullptr, &m_device)));
  vkGetDeviceQueue(m_device, 0, 0, &m_queue);
  vkGetPhysicalDeviceMemoryProperties(m_physical, &m_memory);
  VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  return checkVk("vkCreateCommandPool", vkCreateCommandPool(m_device, &poolInfo, nullptr, &m_commandPool));
}

std::string VulkanDevice::identity() const {
  // The name has LLVM's version and the length of vectors; the UUID tells the sources of which lavapipe was built.
  return fmt::format("{} {} {:02x}", m_properties.deviceName, m_properties.driverVersion,
                     fmt::join(m_properties.pipelineCacheUUID, ""));
}

Result<void> VulkanDevice::checkBufferFormat(VkFormat format, VkFormatFeatureFlags needed) const {
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(m_physical, format, &properties);
  if ((properties.bufferFeatures & needed) != needed)
    return makeError(ErrorCode::Unsupported, "lavapipe: no buffer of this kind can have the format {}",
                     formatName(format));
  return {};
}

Result<void> VulkanDevice::checkImageFormat(VkFormat format, VkFormatFeatureFlags needed) const {
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(m_physical, format, &properties);
  if ((properties.optimalTilingFeatures & needed) != needed)
    return makeError(ErrorCode::Unsupported, "lavapipe: images of the format {} lack the features {:#x}",
                     formatName(format), needed & ~properties.optimalTilingFeatures);
  return {};
}

Result<VkDeviceMemory> VulkanDevice::allocate(const VkMemoryRequirements &requirements, VkMemoryPropertyFlags flags,
                                              Garbage &garbage) const {
  uint32_t type = memoryType(m_memory, requirements.memoryTypeBits, flags);
  if (type == UINT32_MAX)
    return makeError(ErrorCode::Unsupported, "lavapipe: no memory of the kind {:#x}", flags);
  VkMemoryAllocateFlagsInfo addressable = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .pNext = m_hasBufferAddresses ? &addressable : nullptr,
                               .allocationSize = requirements.size,
                               .memoryTypeIndex = type};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  DOVETAIL_CHECK(checkVk("vkAllocateMemory", vkAllocateMemory(m_device, &info, nullptr, &memory)));
  garbage.add([device = m_device, memory] { vkFreeMemory(device, memory, nullptr); });
  return memory;
}

Result<HostBuffer> VulkanDevice::makeBuffer(VkDeviceSize size, Garbage &garbage) const {
  HostBuffer result;
  result.size = std::max<VkDeviceSize>(size, 1);
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = result.size,
                             .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                      VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                      VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                      VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                      VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT};
  if (m_hasBufferAddresses)
    info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  DOVETAIL_CHECK(checkVk("vkCreateBuffer", vkCreateBuffer(m_device, &info, nullptr, &result.buffer)));
  garbage.add([device = m_device, buffer = result.buffer] { vkDestroyBuffer(device, buffer, nullptr); });
  VkMemoryRequirements requirements;
  vkGetBufferMemoryRequirements(m_device, result.buffer, &requirements);
  VkDeviceMemory memory = DOVETAIL_TRY(
      allocate(requirements, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, garbage));
  DOVETAIL_CHECK(checkVk("vkBindBufferMemory", vkBindBufferMemory(m_device, result.buffer, memory, 0)));
  void *data = nullptr;
  DOVETAIL_CHECK(checkVk("vkMapMemory", vkMapMemory(m_device, memory, 0, VK_WHOLE_SIZE, 0, &data)));
  result.data = static_cast<uint8_t *>(data);
  VkBufferDeviceAddressInfo addressInfo = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                           .buffer = result.buffer};
  if (m_hasBufferAddresses)
    result.address = vkGetBufferDeviceAddress(m_device, &addressInfo);
  std::fill_n(result.data, result.size, uint8_t(0));
  return result;
}

Result<DeviceImage> VulkanDevice::makeImage(const ImageDescription &description, Garbage &garbage) const {
  bool isCube =
      description.viewType == VK_IMAGE_VIEW_TYPE_CUBE || description.viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  VkImageCreateFlags flags = isCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  VkImageFormatProperties possible;
  VkResult supported = vkGetPhysicalDeviceImageFormatProperties(
      m_physical, description.format, description.type, VK_IMAGE_TILING_OPTIMAL, description.usage, flags, &possible);
  if (supported != VK_SUCCESS || !(possible.sampleCounts & description.samples) ||
      possible.maxExtent.width < description.extent.width || possible.maxExtent.height < description.extent.height ||
      possible.maxExtent.depth < description.extent.depth || possible.maxArrayLayers < description.layers ||
      possible.maxMipLevels < description.mipLevels)
    return makeError(ErrorCode::Unsupported, "lavapipe: no image of {} with {} and the usage {:#x}",
                     formatName(description.format), printSize(description), description.usage);

  DeviceImage result;
  VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .flags = flags,
                            .imageType = description.type,
                            .format = description.format,
                            .extent = description.extent,
                            .mipLevels = description.mipLevels,
                            .arrayLayers = description.layers,
                            .samples = static_cast<VkSampleCountFlagBits>(description.samples),
                            .tiling = VK_IMAGE_TILING_OPTIMAL,
                            .usage = description.usage};
  DOVETAIL_CHECK(checkVk("vkCreateImage", vkCreateImage(m_device, &info, nullptr, &result.image)));
  garbage.add([device = m_device, image = result.image] { vkDestroyImage(device, image, nullptr); });
  VkMemoryRequirements requirements;
  vkGetImageMemoryRequirements(m_device, result.image, &requirements);
  result.memory = DOVETAIL_TRY(allocate(requirements, 0, garbage));
  result.bytes = requirements.size;
  DOVETAIL_CHECK(checkVk("vkBindImageMemory", vkBindImageMemory(m_device, result.image, result.memory, 0)));

  constexpr VkImageUsageFlags Viewed =
      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  if (!(description.usage & Viewed))
    return result;
  VkImageViewCreateInfo viewInfo = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = result.image,
      .viewType = description.viewType,
      .format = description.format,
      .subresourceRange = {description.aspect, 0, description.mipLevels, 0, description.layers}};
  DOVETAIL_CHECK(checkVk("vkCreateImageView", vkCreateImageView(m_device, &viewInfo, nullptr, &result.view)));
  garbage.add([device = m_device, view = result.view] { vkDestroyImageView(device, view, nullptr); });
  return result;
}

Result<void> VulkanDevice::run(const std::function<void(VkCommandBuffer)> &record) const {
  VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = m_commandPool,
                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                      .commandBufferCount = 1};
  VkCommandBuffer commands = VK_NULL_HANDLE;
  DOVETAIL_CHECK(checkVk("vkAllocateCommandBuffers", vkAllocateCommandBuffers(m_device, &info, &commands)));
  Garbage garbage;
  garbage.add([&] { vkFreeCommandBuffers(m_device, m_commandPool, 1, &commands); });
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  DOVETAIL_CHECK(checkVk("vkBeginCommandBuffer", vkBeginCommandBuffer(commands, &begin)));
  record(commands);
  DOVETAIL_CHECK(checkVk("vkEndCommandBuffer", vkEndCommandBuffer(commands)));
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  DOVETAIL_CHECK(checkVk("vkQueueSubmit", vkQueueSubmit(m_queue, 1, &submit, VK_NULL_HANDLE)));
  return checkVk("vkQueueWaitIdle", vkQueueWaitIdle(m_queue));
}

void recordBarrier(VkCommandBuffer commands) {
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier,
                       0, nullptr, 0, nullptr);
}

void recordFirstUse(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect) {
  VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &barrier);
}

} // namespace dovetail::reference

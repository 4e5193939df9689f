// SPDX-License-Identifier: MIT
//
// lavapipe's Vulkan device with all of its features, and helpers for the reference. Objects live as long as the scene
// for which they were made: each maker leaves its clean-up in a Garbage.
#pragma once

#include "src/base/error.h"
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

namespace dovetail::reference {

// Errors: Unsupported, naming the call, unless it succeeded.
Result<void> checkVk(const char *call, VkResult result);

// Its destructor runs clean-ups in reverse order.
class Garbage {
public:
  Garbage() = default;
  Garbage(const Garbage &) = delete;
  Garbage &operator=(const Garbage &) = delete;
  ~Garbage() {
    while (!m_actions.empty()) {
      m_actions.back()();
      m_actions.pop_back();
    }
  }
  void add(std::function<void()> action) { m_actions.push_back(std::move(action)); }

private:
  std::vector<std::function<void()>> m_actions;
};

// A buffer whose memory is mapped.
struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint8_t *data = nullptr;
  VkDeviceSize size = 0;
  VkDeviceAddress address = 0; // if the device has addresses
};

struct ImageDescription {
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkImageViewType viewType = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent3D extent = {1, 1, 1};
  uint32_t mipLevels = 1, layers = 1, samples = 1;
  VkImageUsageFlags usage = 0;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT; // the view's aspect
};

struct DeviceImage {
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceSize bytes = 0;
};

class VulkanDevice {
public:
  // Errors: Unsupported without lavapipe.
  static Result<std::unique_ptr<VulkanDevice>> open();
  ~VulkanDevice();
  VulkanDevice(const VulkanDevice &) = delete;
  VulkanDevice &operator=(const VulkanDevice &) = delete;

  VkDevice handle() const { return m_device; }
  // Differs between versions of lavapipe and its LLVM, and between lengths of its vectors.
  std::string identity() const;
  const VkPhysicalDeviceLimits &limits() const { return m_properties.limits; }
  const VkPhysicalDeviceSubgroupProperties &subgroups() const { return m_subgroups; }
  bool hasNonUniformIndexing() const { return m_hasNonUniformIndexing; }
  bool hasBufferAddresses() const { return m_hasBufferAddresses; }

  // Errors: Unsupported, naming the format, if a buffer cannot have it for this use (vertex attribute, texel buffer,
  // …).
  Result<void> checkBufferFormat(VkFormat format, VkFormatFeatureFlags needed) const;
  Result<void> checkImageFormat(VkFormat format, VkFormatFeatureFlags needed) const;

  // A buffer of at least one byte, filled with zeros.
  Result<HostBuffer> makeBuffer(VkDeviceSize size, Garbage &garbage) const;
  // Errors: Unsupported, naming the format, if such an image is impossible.
  Result<DeviceImage> makeImage(const ImageDescription &description, Garbage &garbage) const;

  // Calls `record`, submits what it recorded, and waits until it is done.
  Result<void> run(const std::function<void(VkCommandBuffer)> &record) const;

private:
  VulkanDevice() = default;
  Result<void> openInstance();
  Result<void> openDevice();
  Result<VkDeviceMemory> allocate(const VkMemoryRequirements &requirements, VkMemoryPropertyFlags flags,
                                  Garbage &garbage) const;

  VkInstance m_instance = VK_NULL_HANDLE;
  VkPhysicalDevice m_physical = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties m_properties = {};
  VkPhysicalDeviceSubgroupProperties m_subgroups = {};
  bool m_hasNonUniformIndexing = false, m_hasBufferAddresses = false;
  VkPhysicalDeviceMemoryProperties m_memory = {};
  VkDevice m_device = VK_NULL_HANDLE;
  VkQueue m_queue = VK_NULL_HANDLE;
  VkCommandPool m_commandPool = VK_NULL_HANDLE;
};

// recordBarrier(): later commands see all earlier writes. recordFirstUse() moves an image into the general layout.
void recordBarrier(VkCommandBuffer commands);
void recordFirstUse(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect);

} // namespace dovetail::reference

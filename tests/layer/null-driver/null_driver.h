// SPDX-License-Identifier: MIT
//
// A Vulkan driver that does nothing, directly below the layer, without a loader: its commands return at once, and the
// handles of objects that it creates are numbers.
#pragma once

#include <vulkan/vulkan.h>

namespace dovetail::null_driver {

// Functions of the layer, which are called as the loader would call them.
class LayeredDevice {
public:
  // Exits with a message if the layer cannot be loaded.
  explicit LayeredDevice(const char *layerPath);
  // Destroys device and instance; the layer writes its report.
  ~LayeredDevice();
  LayeredDevice(const LayeredDevice &) = delete;
  LayeredDevice &operator=(const LayeredDevice &) = delete;

  VkDevice handle() const { return m_device; }
  template <typename Function> Function function(const char *name) const {
    return reinterpret_cast<Function>(m_getDeviceProcAddr(m_device, name));
  }

private:
  void *m_library = nullptr;
  PFN_vkGetInstanceProcAddr m_getInstanceProcAddr = nullptr;
  PFN_vkGetDeviceProcAddr m_getDeviceProcAddr = nullptr;
  VkInstance m_instance = VK_NULL_HANDLE;
  VkDevice m_device = VK_NULL_HANDLE;
};

} // namespace dovetail::null_driver

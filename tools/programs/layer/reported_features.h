// SPDX-License-Identifier: MIT
//
// Features that the layer reports beside those of the driver, if the user asks for it (DOVETAIL_SHADOW_FEATURES).
//
// Mesa 22.3's lavapipe does not report shaderSampledImageArrayDynamicIndexing and
// shaderStorageImageArrayDynamicIndexing, and Dawn takes no adapter without them, although no shader of WebGPU can use
// them. Dovetail's code has both, but lavapipe draws some of what they allow wrong (it ignores the index of a sampler).
// So the layer refuses shaders that index arrays of images or samplers dynamically, before the driver sees them. The
// driver is not told that the application enables the features, because it would refuse the device.
#pragma once

#include <vulkan/vulkan_core.h>

namespace dovetail::layer {

// Whether the user asks for it. Read once in the process.
bool reportsImageIndexing();

// Adds them to a driver's features.
void addReported(VkPhysicalDeviceFeatures &features);

// Whether the driver lacks one of them.
bool lacksReported(const VkPhysicalDeviceFeatures &drivers);

// Whether a module indexes an array of images or samplers by anything but a constant.
bool indexesImages(const VkShaderModuleCreateInfo &module);

// Takes the features that the layer reports and the driver lacks out of a device's create-info, until it is destroyed.
// The application's own structs stay as they are, but for a VkPhysicalDeviceFeatures2 in the chain, which gets its
// values back.
class DriversFeatures {
public:
  DriversFeatures(const VkDeviceCreateInfo &info, const VkPhysicalDeviceFeatures &drivers);
  ~DriversFeatures();
  DriversFeatures(const DriversFeatures &) = delete;
  DriversFeatures &operator=(const DriversFeatures &) = delete;

  const VkDeviceCreateInfo *info() const { return &m_info; }

private:
  VkDeviceCreateInfo m_info;
  VkPhysicalDeviceFeatures m_features = {}; // of m_info
  VkPhysicalDeviceFeatures *m_chained = nullptr;
  VkPhysicalDeviceFeatures m_before = {}; // of m_chained
};

} // namespace dovetail::layer

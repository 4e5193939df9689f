// SPDX-License-Identifier: MIT
//
// Makes, fills, binds and reads back the Vulkan objects that a scene's shaders reach through descriptors.
#pragma once

#include "tools/proof/reference/vulkan_device.h"
#include "tools/proof/scene/scene_addresses.h"

namespace dovetail::reference {

// Refers to the scene; the Garbage owns its objects. Both must outlive it.
class SceneResources {
public:
  // Errors: Unsupported, naming the resource that the device cannot have.
  static Result<SceneResources> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

  VkPipelineLayout layout() const { return m_layout; }
  // One of Scene::buffers.
  const HostBuffer &buffer(uint32_t index) const { return m_buffers[index]; }
  // One of Scene::images.
  const DeviceImage &image(uint32_t index) const { return m_images[index].image; }

  void recordUpload(VkCommandBuffer commands) const;
  void recordBind(VkCommandBuffer commands, VkPipelineBindPoint bindPoint) const;
  void recordReadback(VkCommandBuffer commands) const;
  // To be called after the commands are done.
  void read(SceneResult &result) const;

private:
  struct Image {
    DeviceImage image;
    VkImageAspectFlags aspect = 0;
    HostBuffer staging; // single-sampled images: the bytes before the draw, and after it if shaders can write them
    bool isWritable = false;
  };

  SceneResources(const VulkanDevice &device, const Scene &scene) : m_device(device), m_scene(scene) {}
  AddressOfBuffer addressOf() const {
    return [this](uint32_t buffer) { return m_buffers[buffer].address; };
  }
  Result<void> makeBuffers(Garbage &garbage);
  Result<void> makeImages(Garbage &garbage);
  Result<void> makeSamplers(Garbage &garbage);
  Result<void> makeLayout(Garbage &garbage);
  Result<void> makeSets(Garbage &garbage);
  Result<VkBufferView> makeBufferView(const SceneDescriptor &descriptor, Garbage &garbage) const;
  std::vector<VkBufferImageCopy> copies(size_t image) const;
  void recordClear(VkCommandBuffer commands, size_t image) const;

  const VulkanDevice &m_device;
  const Scene &m_scene;
  std::vector<HostBuffer> m_buffers;
  std::vector<Image> m_images;
  std::vector<VkSampler> m_samplers;
  std::vector<VkDescriptorSetLayout> m_setLayouts;
  std::vector<VkDescriptorSet> m_sets;
  VkPipelineLayout m_layout = VK_NULL_HANDLE;
};

} // namespace dovetail::reference

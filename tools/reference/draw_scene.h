// SPDX-License-Identifier: MIT
//
// One scene, drawn or dispatched on lavapipe, in the order in which draw_scene.cpp does it.
#pragma once

#include "tools/reference/scene_resources.h"

namespace dovetail::reference {

// What the shaders of a scene are to Vulkan: modules and specialisation.
struct StageList {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  uint32_t mask = 0;
};
Result<StageList> makeStages(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

// The pipelines. Errors: Unsupported, naming a state that Vulkan or lavapipe does not have.
Result<VkPipeline> makeComputePipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                       Garbage &garbage);
Result<VkPipeline> makeGraphicsPipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                        Garbage &garbage);

// How many colour attachments there are, holes included.
uint32_t colorAttachmentCount(const PipelineState &state);

// The framebuffer of a draw.
class Targets {
public:
  static Result<Targets> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

  // Clears everything and begins to render.
  void recordBegin(VkCommandBuffer commands) const;
  // Ends rendering, resolves, and copies to where the host can read.
  void recordEnd(VkCommandBuffer commands) const;
  void read(SceneResult &result) const;

private:
  struct Color {
    VkFormat format = VK_FORMAT_UNDEFINED;
    DeviceImage image, resolved; // `resolved` of multisampled targets
    HostBuffer readback;
  };

  explicit Targets(const Scene &scene) : m_scene(scene) {}
  void recordReadback(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect, VkBuffer buffer) const;

  const Scene &m_scene;
  std::array<Color, MaxColorTargets> m_colors;
  VkFormat m_depthStencilFormat = VK_FORMAT_UNDEFINED;
  VkImageAspectFlags m_depthStencilAspects = 0;
  DeviceImage m_depthStencil;
  HostBuffer m_depth, m_stencil; // readback; none of multisampled targets
};

// Draws or dispatches the scene and reads everything back. Errors: Unsupported with the reason.
Result<SceneResult> drawScene(const VulkanDevice &device, const Scene &scene);

} // namespace dovetail::reference

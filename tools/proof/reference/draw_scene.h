// SPDX-License-Identifier: MIT
//
// One scene, drawn or dispatched on lavapipe, in the order in which draw_scene.cpp does it.
#pragma once

#include "tools/proof/reference/scene_resources.h"

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
// renderPass: that it is used in; none with dynamic rendering.
Result<VkPipeline> makeGraphicsPipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                        VkRenderPass renderPass, Garbage &garbage);

// How many colour attachments there are, unused ones included.
uint32_t colorAttachmentCount(const PipelineState &state);

// A render pass of one subpass, and its framebuffer.
struct RenderPass {
  VkRenderPass pass = VK_NULL_HANDLE; // none: dynamic rendering
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

// The framebuffer of a draw.
class Targets {
public:
  static Result<Targets> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

  // For scenes with input attachments, which dynamic rendering does not have: the targets, and behind them the images
  // of the input attachments. Nothing for other scenes.
  Result<RenderPass> makeRenderPass(const VulkanDevice &device, const SceneResources &resources,
                                    Garbage &garbage) const;

  // Clears everything and begins to render.
  void recordBegin(VkCommandBuffer commands, const RenderPass &renderPass) const;
  // Ends rendering, resolves, and copies to where the host can read.
  void recordEnd(VkCommandBuffer commands, const RenderPass &renderPass) const;
  void read(SceneResult &result) const;

private:
  struct Color {
    VkFormat format = VK_FORMAT_UNDEFINED;
    DeviceImage image, resolved; // `resolved` of multisampled targets
    HostBuffer readback;
  };

  explicit Targets(const Scene &scene) : m_scene(scene) {}
  void recordFirstUses(VkCommandBuffer commands) const;
  // Of all layers. A draw of several views begins with clearing the layers of these.
  void recordClears(VkCommandBuffer commands) const;
  void recordBeginPass(VkCommandBuffer commands, const RenderPass &renderPass) const;
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

// SPDX-License-Identifier: MIT
//
// Draws or dispatches one scene on lavapipe. The declarations are in the order in which draw_scene.cpp uses them.
#pragma once

#include "tools/proof/reference/scene_resources.h"

namespace dovetail::reference {

// A scene's shaders for Vulkan: modules and specialisation.
struct StageList {
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  uint32_t mask = 0;
};
Result<StageList> makeStages(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

// Makes pipelines. Errors: Unsupported, naming a state that Vulkan or lavapipe lacks.
Result<VkPipeline> makeComputePipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                       Garbage &garbage);
// renderPass: the pass in which the pipeline is used; VK_NULL_HANDLE with dynamic rendering.
Result<VkPipeline> makeGraphicsPipeline(const VulkanDevice &device, const Scene &scene, VkPipelineLayout layout,
                                        VkRenderPass renderPass, Garbage &garbage);

// The number of colour attachments, unused ones included.
uint32_t colorAttachmentCount(const PipelineState &state);

// A render pass of one subpass, and its framebuffer.
struct RenderPass {
  VkRenderPass pass = VK_NULL_HANDLE; // VK_NULL_HANDLE: dynamic rendering
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
};

// The framebuffer of a draw.
class Targets {
public:
  static Result<Targets> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

  // For scenes with input attachments, which dynamic rendering lacks: a pass with the targets, and the images of the
  // input attachments behind them. Empty for other scenes.
  Result<RenderPass> makeRenderPass(const VulkanDevice &device, const SceneResources &resources,
                                    Garbage &garbage) const;

  // Clears everything and begins to render.
  void recordBegin(VkCommandBuffer commands, const RenderPass &renderPass) const;
  // Ends rendering, resolves, and copies to memory that the host can read.
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
  // Clears all layers. A draw of several views clears this way before the pass, which clears only the views' layers.
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

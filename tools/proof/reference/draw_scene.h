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

// The format of a depth format's depth when it is copied to or from a buffer.
VkFormat depthCopyFormat(VkFormat format);

// All samples of a multisampled image, in lavapipe's memory. Vulkan has no commands that copy them.
class SampleMemory {
public:
  SampleMemory() = default;
  // Errors: Unsupported if the memory cannot be mapped, or is not laid out as lavapipe does.
  static Result<SampleMemory> make(const VulkanDevice &device, const Scene &scene, const DeviceImage &image,
                                   VkImageAspectFlags aspect, unsigned texelBytes);

  explicit operator bool() const { return m_data != nullptr; }
  // Calls visit(texel, index) for each sample, in the order of a picture with all samples.
  void each(const std::function<void(uint8_t *texel, size_t index)> &visit) const;

private:
  uint8_t *m_data = nullptr;
  VkDeviceSize m_layerBytes = 0, m_rowBytes = 0, m_sampleBytes = 0;
  unsigned m_texelBytes = 0;
  uint32_t m_width = 0, m_height = 0, m_layers = 0, m_samples = 0;
};

// The framebuffer of a draw.
class Targets {
public:
  static Result<Targets> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage);

  // For scenes with input attachments, which dynamic rendering lacks: a pass with the targets, and the images of the
  // input attachments behind them. Empty for other scenes.
  Result<RenderPass> makeRenderPass(const VulkanDevice &device, const SceneResources &resources,
                                    Garbage &garbage) const;

  // Fills all targets and begins to render.
  void recordBegin(VkCommandBuffer commands, const RenderPass &renderPass) const;
  // Ends rendering, resolves, and copies to memory that the host can read.
  void recordEnd(VkCommandBuffer commands, const RenderPass &renderPass) const;
  void read(SceneResult &result) const;

private:
  struct Color {
    VkFormat format = VK_FORMAT_UNDEFINED;
    DeviceImage image, resolved; // `resolved` of multisampled targets
    HostBuffer upload, readback;
    SampleMemory samples; // of multisampled targets, if they are read or written sample by sample
  };

  explicit Targets(const Scene &scene) : m_scene(scene) {}
  // Whether targets are filled before they are rendered to; otherwise rendering begins with a clear.
  bool areFilledBefore() const;
  VkAttachmentLoadOp loadOp() const;
  // Makes what is needed to fill targets, and to read samples. Errors: Unsupported, naming a format.
  Result<void> makeContents(const VulkanDevice &device, Garbage &garbage);
  void writeSamples() const;
  void recordUploads(VkCommandBuffer commands) const;
  bool readSamples(SceneResult &result) const; // false: there are none
  void recordFirstUses(VkCommandBuffer commands) const;
  // Clears all of the targets without initial contents.
  void recordClears(VkCommandBuffer commands) const;
  void recordBeginPass(VkCommandBuffer commands, const RenderPass &renderPass) const;
  void recordReadback(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect, VkBuffer buffer) const;

  const Scene &m_scene;
  std::array<Color, MaxColorTargets> m_colors;
  VkFormat m_depthStencilFormat = VK_FORMAT_UNDEFINED;
  VkImageAspectFlags m_depthStencilAspects = 0;
  DeviceImage m_depthStencil;
  HostBuffer m_depth, m_stencil; // readback; none of multisampled targets
  HostBuffer m_depthUpload, m_stencilUpload;
  SampleMemory m_depthStencilSamples;
};

// Draws or dispatches the scene and reads everything back. Errors: Unsupported with the reason.
Result<SceneResult> drawScene(const VulkanDevice &device, const Scene &scene);

} // namespace dovetail::reference

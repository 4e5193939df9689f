// SPDX-License-Identifier: MIT
//
// A subpass reads its input attachments as if they had been drawn before: their images are filled in front of the pass,
// which loads them.
#include "src/state/format_table.h"
#include "tools/proof/reference/draw_scene.h"
#include "tools/proof/spirv/spirv_words.h"
#include <algorithm>
#include <map>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::reference {

namespace {

struct Place {
  uint32_t set = 0, binding = 0;
  auto operator<=>(const Place &) const = default;
};

// The index of the first input attachment at each binding.
std::map<Place, uint32_t> inputAttachmentIndices(const Scene &scene) {
  std::map<Place, uint32_t> indices;
  for (const SceneShader &shader : scene.shaders) {
    std::map<uint32_t, Place> places; // by id
    std::map<uint32_t, uint32_t> found;
    eachInstruction(shader.words, [&](SpirvInstruction inst) {
      if (opcodeOf(inst) != spv::Op::OpDecorate || inst.size() < 4)
        return;
      switch (static_cast<spv::Decoration>(inst[2])) {
      case spv::Decoration::DescriptorSet:
        places[inst[1]].set = inst[3];
        return;
      case spv::Decoration::Binding:
        places[inst[1]].binding = inst[3];
        return;
      case spv::Decoration::InputAttachmentIndex:
        found[inst[1]] = inst[3];
        return;
      default:
        return;
      }
    });
    for (auto [id, index] : found)
      indices[places[id]] = index;
  }
  return indices;
}

// The images by the index of their input attachment.
std::map<uint32_t, uint32_t> inputAttachments(const Scene &scene) {
  const std::map<Place, uint32_t> indices = inputAttachmentIndices(scene);
  std::map<uint32_t, uint32_t> images;
  for (const SceneDescriptor &descriptor : scene.descriptors)
    if (descriptor.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
      if (auto found = indices.find({descriptor.set, descriptor.binding}); found != indices.end())
        images[found->second + descriptor.element] = descriptor.image;
  return images;
}

// A pass's attachments, in the order of its framebuffer.
struct Attachments {
  std::vector<VkAttachmentDescription> descriptions;
  std::vector<VkImageView> views;

  VkAttachmentReference add(VkFormat format, uint32_t samples, VkAttachmentLoadOp load, VkImageView view) {
    descriptions.push_back({.format = format,
                            .samples = static_cast<VkSampleCountFlagBits>(samples),
                            .loadOp = load,
                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                            .stencilLoadOp = load,
                            .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
                            .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                            .finalLayout = VK_IMAGE_LAYOUT_GENERAL});
    views.push_back(view);
    return {uint32_t(views.size() - 1), VK_IMAGE_LAYOUT_GENERAL};
  }
};

constexpr VkAttachmentReference Unused = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL};

} // namespace

Result<RenderPass> Targets::makeRenderPass(const VulkanDevice &device, const SceneResources &resources,
                                           Garbage &garbage) const {
  const std::map<uint32_t, uint32_t> inputs = inputAttachments(m_scene);
  RenderPass made;
  if (inputs.empty())
    return made;
  if (m_scene.layers > 1)
    return makeError(ErrorCode::Unsupported, "input attachments of layered framebuffers are not made up");
  Attachments attachments;
  std::vector<VkAttachmentReference> colors, inputReferences(inputs.rbegin()->first + 1, Unused);
  const uint32_t samples = m_scene.state.rasterizationSamples;
  for (uint32_t index = 0; index < colorAttachmentCount(m_scene.state); ++index)
    colors.push_back(m_colors[index].image.view
                         ? attachments.add(m_colors[index].format, samples, loadOp(), m_colors[index].image.view)
                         : Unused);
  VkAttachmentReference depthStencil = Unused;
  if (m_depthStencil.view)
    depthStencil = attachments.add(m_depthStencilFormat, samples, loadOp(), m_depthStencil.view);
  for (auto [index, image] : inputs)
    inputReferences[index] = attachments.add(m_scene.images[image].format, m_scene.images[image].samples,
                                             VK_ATTACHMENT_LOAD_OP_LOAD, resources.image(image).view);
  VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                  .inputAttachmentCount = uint32_t(inputReferences.size()),
                                  .pInputAttachments = inputReferences.data(),
                                  .colorAttachmentCount = uint32_t(colors.size()),
                                  .pColorAttachments = colors.data(),
                                  .pDepthStencilAttachment = &depthStencil};
  VkRenderPassCreateInfo passInfo = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                     .attachmentCount = uint32_t(attachments.views.size()),
                                     .pAttachments = attachments.descriptions.data(),
                                     .subpassCount = 1,
                                     .pSubpasses = &subpass};
  DOVETAIL_CHECK(checkVk("vkCreateRenderPass", vkCreateRenderPass(device.handle(), &passInfo, nullptr, &made.pass)));
  garbage.add([device = device.handle(), pass = made.pass] { vkDestroyRenderPass(device, pass, nullptr); });
  VkFramebufferCreateInfo framebufferInfo = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                             .renderPass = made.pass,
                                             .attachmentCount = uint32_t(attachments.views.size()),
                                             .pAttachments = attachments.views.data(),
                                             .width = m_scene.width,
                                             .height = m_scene.height,
                                             .layers = m_scene.layers};
  DOVETAIL_CHECK(checkVk("vkCreateFramebuffer",
                         vkCreateFramebuffer(device.handle(), &framebufferInfo, nullptr, &made.framebuffer)));
  garbage.add([device = device.handle(), framebuffer = made.framebuffer] {
    vkDestroyFramebuffer(device, framebuffer, nullptr);
  });
  return made;
}

void Targets::recordBeginPass(VkCommandBuffer commands, const RenderPass &renderPass) const {
  // In the order of the attachments; loaded attachments come last.
  std::vector<VkClearValue> values;
  for (uint32_t index = 0; index < colorAttachmentCount(m_scene.state); ++index)
    if (m_colors[index].image.view)
      values.push_back({.color = m_scene.clearColors[index]});
  if (m_depthStencil.view)
    values.push_back({.depthStencil = {m_scene.clearDepth, m_scene.clearStencil}});
  VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                .renderPass = renderPass.pass,
                                .framebuffer = renderPass.framebuffer,
                                .renderArea = {{0, 0}, {m_scene.width, m_scene.height}},
                                .clearValueCount = uint32_t(values.size()),
                                .pClearValues = values.data()};
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

} // namespace dovetail::reference

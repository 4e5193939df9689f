// SPDX-License-Identifier: MIT
//
// Renders into images of the scene's size, with dynamic rendering or a render pass (render_pass.cpp). After the draw,
// vkCmdResolveImage resolves a multisampled target; for integers, it takes sample 0.
#include "src/state/format_table.h"
#include "tools/proof/reference/draw_scene.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace dovetail::reference {

namespace {

ImageDescription describeTarget(const Scene &scene, VkFormat format, uint32_t samples, VkImageUsageFlags usage,
                                VkImageAspectFlags aspect) {
  return {.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
          .format = format,
          .extent = {scene.width, scene.height, 1},
          .layers = scene.layers,
          .samples = samples,
          .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
          .aspect = aspect};
}

} // namespace

VkFormat depthCopyFormat(VkFormat format) {
  switch (format) {
  case VK_FORMAT_D16_UNORM_S8_UINT:
    return VK_FORMAT_D16_UNORM;
  case VK_FORMAT_D24_UNORM_S8_UINT:
    return VK_FORMAT_X8_D24_UNORM_PACK32;
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return VK_FORMAT_D32_SFLOAT;
  default:
    return format;
  }
}

uint32_t colorAttachmentCount(const PipelineState &state) {
  uint32_t count = MaxColorTargets;
  while (count > 0 && state.colorTargets[count - 1].format == VK_FORMAT_UNDEFINED)
    --count;
  // For one attachment, lavapipe may compile two fragment shaders, one of them for whole tiles, which need not read the
  // pixels that they overwrite. An unused second attachment saves this compilation, which takes longer than the pixels
  // do.
  return count == 1 ? 2 : count;
}

Result<Targets> Targets::make(const VulkanDevice &device, const Scene &scene, Garbage &garbage) {
  Targets targets(scene);
  const PipelineState &state = scene.state;
  uint64_t texels = uint64_t(scene.width) * scene.height * scene.layers;
  for (size_t index = 0; index < state.colorTargets.size(); ++index) {
    const ColorTarget &target = state.colorTargets[index];
    if (target.format == VK_FORMAT_UNDEFINED)
      continue;
    VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
    if (target.blendEnable)
      needed |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    DOVETAIL_CHECK(device.checkImageFormat(target.format, needed));
    Color &color = targets.m_colors[index];
    color.format = target.format;
    color.image =
        DOVETAIL_TRY(device.makeImage(describeTarget(scene, target.format, state.rasterizationSamples,
                                                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_ASPECT_COLOR_BIT),
                                      garbage));
    if (state.rasterizationSamples > 1 && !scene.keepSamples)
      color.resolved = DOVETAIL_TRY(
          device.makeImage(describeTarget(scene, target.format, 1, 0, VK_IMAGE_ASPECT_COLOR_BIT), garbage));
    if (state.rasterizationSamples == 1 || !scene.keepSamples)
      color.readback =
          DOVETAIL_TRY(device.makeBuffer(texels * DOVETAIL_TRY(texelLayout(target.format)).bytes, garbage));
  }

  targets.m_depthStencilFormat = state.depthStencilFormat;
  bool withDepth = hasDepth(state.depthStencilFormat), withStencil = hasStencil(state.depthStencilFormat);
  if (!withDepth && !withStencil) {
    DOVETAIL_CHECK(targets.makeContents(device, garbage));
    return targets;
  }
  targets.m_depthStencilAspects =
      (withDepth ? VK_IMAGE_ASPECT_DEPTH_BIT : 0) | (withStencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0);
  DOVETAIL_CHECK(device.checkImageFormat(state.depthStencilFormat, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT));
  targets.m_depthStencil = DOVETAIL_TRY(
      device.makeImage(describeTarget(scene, state.depthStencilFormat, state.rasterizationSamples,
                                      VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, targets.m_depthStencilAspects),
                       garbage));
  DOVETAIL_CHECK(targets.makeContents(device, garbage));
  if (state.rasterizationSamples > 1)
    return targets;
  if (withDepth)
    targets.m_depth = DOVETAIL_TRY(device.makeBuffer(
        texels * DOVETAIL_TRY(texelLayout(depthCopyFormat(state.depthStencilFormat))).bytes, garbage));
  if (withStencil)
    targets.m_stencil = DOVETAIL_TRY(device.makeBuffer(texels, garbage));
  return targets;
}

void Targets::recordFirstUses(VkCommandBuffer commands) const {
  for (const Color &color : m_colors) {
    if (color.image.image)
      recordFirstUse(commands, color.image.image, VK_IMAGE_ASPECT_COLOR_BIT);
    if (color.resolved.image)
      recordFirstUse(commands, color.resolved.image, VK_IMAGE_ASPECT_COLOR_BIT);
  }
  if (m_depthStencil.image)
    recordFirstUse(commands, m_depthStencil.image, m_depthStencilAspects);
}

void Targets::recordClears(VkCommandBuffer commands) const {
  auto layers = [&](VkImageAspectFlags aspects) { return VkImageSubresourceRange{aspects, 0, 1, 0, m_scene.layers}; };
  for (size_t index = 0; index < m_colors.size(); ++index)
    if (VkImage image = m_colors[index].image.image; image && m_scene.initialColors[index].empty()) {
      const VkImageSubresourceRange range = layers(VK_IMAGE_ASPECT_COLOR_BIT);
      vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &m_scene.clearColors[index], 1, &range);
    }
  const VkImageAspectFlags loaded = (m_scene.initialDepth.empty() ? 0 : VK_IMAGE_ASPECT_DEPTH_BIT) |
                                    (m_scene.initialStencil.empty() ? 0 : VK_IMAGE_ASPECT_STENCIL_BIT);
  if (const VkImageAspectFlags cleared = m_depthStencilAspects & ~loaded; cleared != 0) {
    const VkClearDepthStencilValue value = {m_scene.clearDepth, m_scene.clearStencil};
    const VkImageSubresourceRange range = layers(cleared);
    vkCmdClearDepthStencilImage(commands, m_depthStencil.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
  }
  recordBarrier(commands);
}

void Targets::recordBegin(VkCommandBuffer commands, const RenderPass &renderPass) const {
  recordFirstUses(commands);
  if (areFilledBefore()) {
    recordClears(commands);
    recordUploads(commands);
  }
  if (renderPass.pass)
    return recordBeginPass(commands, renderPass);
  std::vector<VkRenderingAttachmentInfo> colors;
  for (uint32_t index = 0; index < colorAttachmentCount(m_scene.state); ++index) {
    VkRenderingAttachmentInfo &attachment = colors.emplace_back();
    attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                  .imageView = m_colors[index].image.view,
                  .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                  .loadOp = loadOp(),
                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    attachment.clearValue.color = m_scene.clearColors[index];
  }
  VkRenderingAttachmentInfo depthStencil = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = m_depthStencil.view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = loadOp(),
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
  depthStencil.clearValue.depthStencil = {m_scene.clearDepth, m_scene.clearStencil};
  VkRenderingInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .renderArea = {{0, 0}, {m_scene.width, m_scene.height}},
      .layerCount = m_scene.layers,
      .viewMask = m_scene.viewMask,
      .colorAttachmentCount = static_cast<uint32_t>(colors.size()),
      .pColorAttachments = colors.data(),
      .pDepthAttachment = m_depthStencilAspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depthStencil : nullptr,
      .pStencilAttachment = m_depthStencilAspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &depthStencil : nullptr};
  vkCmdBeginRendering(commands, &info);
}

void Targets::recordReadback(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect,
                             VkBuffer buffer) const {
  VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, m_scene.layers},
                              .imageExtent = {m_scene.width, m_scene.height, 1}};
  vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &region);
}

void Targets::recordEnd(VkCommandBuffer commands, const RenderPass &renderPass) const {
  if (renderPass.pass)
    vkCmdEndRenderPass(commands);
  else
    vkCmdEndRendering(commands);
  recordBarrier(commands);
  for (const Color &color : m_colors) {
    if (!color.readback.buffer)
      continue;
    VkImage image = color.image.image;
    if (color.resolved.image) {
      VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, m_scene.layers};
      VkImageResolve region = {
          .srcSubresource = layers, .dstSubresource = layers, .extent = {m_scene.width, m_scene.height, 1}};
      vkCmdResolveImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, color.resolved.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                        &region);
      recordBarrier(commands);
      image = color.resolved.image;
    }
    recordReadback(commands, image, VK_IMAGE_ASPECT_COLOR_BIT, color.readback.buffer);
  }
  if (m_depth.buffer)
    recordReadback(commands, m_depthStencil.image, VK_IMAGE_ASPECT_DEPTH_BIT, m_depth.buffer);
  if (m_stencil.buffer)
    recordReadback(commands, m_depthStencil.image, VK_IMAGE_ASPECT_STENCIL_BIT, m_stencil.buffer);
}

void Targets::read(SceneResult &result) const {
  auto pictureOf = [&](VkFormat format, const HostBuffer &buffer) {
    return ScenePicture{
        format, m_scene.width, m_scene.height, m_scene.layers, {buffer.data, buffer.data + buffer.size}};
  };
  for (size_t index = 0; index < m_colors.size(); ++index)
    if (m_colors[index].readback.buffer)
      result.colors[index] = pictureOf(m_colors[index].format, m_colors[index].readback);
  if (readSamples(result))
    return;
  if (m_stencil.buffer)
    result.stencil = pictureOf(VK_FORMAT_S8_UINT, m_stencil);
  if (!m_depth.buffer)
    return;
  TexelLayout layout = texelLayout(depthCopyFormat(m_depthStencilFormat)).value_or(TexelLayout());
  result.depth = {VK_FORMAT_D32_SFLOAT, m_scene.width, m_scene.height, m_scene.layers, {}};
  result.depth.bytes.resize(m_depth.size / layout.bytes * sizeof(float));
  for (size_t texel = 0; texel < m_depth.size / layout.bytes; ++texel) {
    TexelValue value = decodeTexel(layout, m_depth.data + texel * layout.bytes);
    std::memcpy(&result.depth.bytes[texel * sizeof(float)], value.data(), sizeof(float));
  }
}

} // namespace dovetail::reference

// SPDX-License-Identifier: MIT
//
// What targets hold before the draw, and all samples of multisampled targets after it. Vulkan copies no samples, so
// they are read and written in lavapipe's memory: an image of n samples is n images of one sample behind each other
// (Mesa, llvmpipe_texture_layout() in lp_texture.c).
#include "src/state/format_table.h"
#include "tools/proof/reference/draw_scene.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <cstring>

namespace dovetail::reference {

namespace {

// How lavapipe keeps texels of depth and stencil in memory: the depth lies at the beginning.
struct DepthStencilMemory {
  VkFormat format;
  unsigned bytes, stencilByte; // the stencil's byte in the texel
};
constexpr DepthStencilMemory DepthStencilMemories[] = {
    {VK_FORMAT_D16_UNORM, 2, 0},         {VK_FORMAT_X8_D24_UNORM_PACK32, 4, 0}, {VK_FORMAT_D32_SFLOAT, 4, 0},
    {VK_FORMAT_D24_UNORM_S8_UINT, 4, 3}, {VK_FORMAT_D32_SFLOAT_S8_UINT, 8, 4},  {VK_FORMAT_S8_UINT, 1, 0},
};
const DepthStencilMemory *depthStencilMemory(VkFormat format) {
  const auto *found = std::ranges::find(DepthStencilMemories, format, &DepthStencilMemory::format);
  return found == std::end(DepthStencilMemories) ? nullptr : found;
}

void encodeDepth(const TexelLayout &layout, const uint8_t *depth, uint8_t *texel) {
  TexelValue value = {};
  std::memcpy(value.data(), depth, sizeof(float));
  encodeTexel(layout, value, texel);
}

} // namespace

Result<SampleMemory> SampleMemory::make(const VulkanDevice &device, const Scene &scene, const DeviceImage &image,
                                        VkImageAspectFlags aspect, unsigned texelBytes) {
  SampleMemory made;
  made.m_texelBytes = texelBytes;
  made.m_width = scene.width;
  made.m_height = scene.height;
  made.m_layers = scene.layers;
  made.m_samples = scene.state.rasterizationSamples;
  const VkImageSubresource first = {aspect, 0, 0};
  VkSubresourceLayout layout = {};
  vkGetImageSubresourceLayout(device.handle(), image.image, &first, &layout);
  made.m_rowBytes = layout.rowPitch;
  made.m_layerBytes = layout.arrayPitch;
  made.m_sampleBytes = image.bytes / made.m_samples;
  if (layout.offset != 0 || layout.rowPitch < VkDeviceSize(scene.width) * texelBytes ||
      layout.arrayPitch < layout.rowPitch * scene.height || made.m_sampleBytes < layout.arrayPitch * scene.layers)
    return makeError(ErrorCode::Unsupported, "lavapipe: the samples of an image do not lie where they are expected");
  void *data = nullptr;
  DOVETAIL_CHECK(checkVk("vkMapMemory", vkMapMemory(device.handle(), image.memory, 0, VK_WHOLE_SIZE, 0, &data)));
  made.m_data = static_cast<uint8_t *>(data);
  return made;
}

void SampleMemory::each(const std::function<void(uint8_t *texel, size_t index)> &visit) const {
  size_t index = 0;
  for (uint32_t layer = 0; layer < m_layers; ++layer)
    for (uint32_t y = 0; y < m_height; ++y)
      for (uint32_t x = 0; x < m_width; ++x)
        for (uint32_t sample = 0; sample < m_samples; ++sample)
          visit(m_data + sample * m_sampleBytes + layer * m_layerBytes + y * m_rowBytes + size_t(x) * m_texelBytes,
                index++);
}

bool Targets::areFilledBefore() const {
  // A pass of several views clears only the views' layers.
  return m_scene.viewMask != 0 || !m_scene.initialDepth.empty() || !m_scene.initialStencil.empty() ||
         std::ranges::any_of(m_scene.initialColors, [](const auto &bytes) { return !bytes.empty(); });
}

VkAttachmentLoadOp Targets::loadOp() const {
  return areFilledBefore() ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
}

Result<void> Targets::makeContents(const VulkanDevice &device, Garbage &garbage) {
  auto upload = [&](const std::vector<uint8_t> &bytes) -> Result<HostBuffer> {
    HostBuffer made = DOVETAIL_TRY(device.makeBuffer(bytes.size(), garbage));
    std::ranges::copy(bytes, made.data);
    return made;
  };
  const bool isMultisampled = m_scene.state.rasterizationSamples > 1;
  const bool hasDepthContents = !m_scene.initialDepth.empty(), hasStencilContents = !m_scene.initialStencil.empty();
  for (size_t index = 0; index < m_colors.size(); ++index) {
    Color &color = m_colors[index];
    const std::vector<uint8_t> &contents = m_scene.initialColors[index];
    if (!color.image.image)
      continue;
    if (isMultisampled && (m_scene.keepSamples || !contents.empty()))
      color.samples = DOVETAIL_TRY(SampleMemory::make(device, m_scene, color.image, VK_IMAGE_ASPECT_COLOR_BIT,
                                                      DOVETAIL_TRY(texelLayout(color.format)).bytes));
    else if (!contents.empty())
      color.upload = DOVETAIL_TRY(upload(contents));
  }
  if (isMultisampled && m_depthStencil.image && (m_scene.keepSamples || hasDepthContents || hasStencilContents)) {
    const DepthStencilMemory *memory = depthStencilMemory(m_depthStencilFormat);
    if (!memory)
      return makeError(ErrorCode::Unsupported, "samples of {} are neither read nor written",
                       formatName(m_depthStencilFormat));
    m_depthStencilSamples =
        DOVETAIL_TRY(SampleMemory::make(device, m_scene, m_depthStencil, m_depthStencilAspects, memory->bytes));
  }
  if (!isMultisampled && hasDepthContents) {
    const TexelLayout layout = DOVETAIL_TRY(texelLayout(depthCopyFormat(m_depthStencilFormat)));
    std::vector<uint8_t> encoded(m_scene.initialDepth.size() / sizeof(float) * layout.bytes);
    for (size_t texel = 0; texel < encoded.size() / layout.bytes; ++texel)
      encodeDepth(layout, &m_scene.initialDepth[texel * sizeof(float)], &encoded[texel * layout.bytes]);
    m_depthUpload = DOVETAIL_TRY(upload(encoded));
  }
  if (!isMultisampled && hasStencilContents)
    m_stencilUpload = DOVETAIL_TRY(upload(m_scene.initialStencil));
  writeSamples();
  return {};
}

// The images' first use, and a clear of the other aspect, leave what is written here.
void Targets::writeSamples() const {
  for (size_t index = 0; index < m_colors.size(); ++index)
    if (const std::vector<uint8_t> &contents = m_scene.initialColors[index];
        m_colors[index].samples && !contents.empty()) {
      const unsigned bytes = texelLayout(m_colors[index].format).value_or(TexelLayout()).bytes;
      m_colors[index].samples.each(
          [&](uint8_t *texel, size_t sample) { std::copy_n(&contents[sample * bytes], bytes, texel); });
    }
  if (!m_depthStencilSamples)
    return;
  const DepthStencilMemory &memory = *depthStencilMemory(m_depthStencilFormat);
  const TexelLayout depth = texelLayout(depthCopyFormat(m_depthStencilFormat)).value_or(TexelLayout());
  m_depthStencilSamples.each([&](uint8_t *texel, size_t sample) {
    if (!m_scene.initialDepth.empty())
      encodeDepth(depth, &m_scene.initialDepth[sample * sizeof(float)], texel);
    if (!m_scene.initialStencil.empty())
      texel[memory.stencilByte] = m_scene.initialStencil[sample];
  });
}

void Targets::recordUploads(VkCommandBuffer commands) const {
  auto record = [&](const HostBuffer &buffer, VkImage image, VkImageAspectFlags aspect) {
    if (!buffer.buffer)
      return;
    const VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, m_scene.layers},
                                      .imageExtent = {m_scene.width, m_scene.height, 1}};
    vkCmdCopyBufferToImage(commands, buffer.buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  };
  for (const Color &color : m_colors)
    record(color.upload, color.image.image, VK_IMAGE_ASPECT_COLOR_BIT);
  record(m_depthUpload, m_depthStencil.image, VK_IMAGE_ASPECT_DEPTH_BIT);
  record(m_stencilUpload, m_depthStencil.image, VK_IMAGE_ASPECT_STENCIL_BIT);
  recordBarrier(commands);
}

bool Targets::readSamples(SceneResult &result) const {
  if (!m_scene.keepSamples || m_scene.state.rasterizationSamples == 1)
    return false;
  const uint32_t width = m_scene.width * m_scene.state.rasterizationSamples;
  const size_t samples = size_t(width) * m_scene.height * m_scene.layers;
  for (size_t index = 0; index < m_colors.size(); ++index)
    if (const Color &color = m_colors[index]; color.samples) {
      const unsigned bytes = texelLayout(color.format).value_or(TexelLayout()).bytes;
      ScenePicture &picture = result.colors[index];
      picture = {color.format, width, m_scene.height, m_scene.layers, std::vector<uint8_t>(samples * bytes)};
      color.samples.each(
          [&](const uint8_t *texel, size_t sample) { std::copy_n(texel, bytes, &picture.bytes[sample * bytes]); });
    }
  if (!m_depthStencilSamples)
    return true;
  const DepthStencilMemory &memory = *depthStencilMemory(m_depthStencilFormat);
  if (m_depthStencilAspects & VK_IMAGE_ASPECT_DEPTH_BIT) {
    const TexelLayout layout = texelLayout(depthCopyFormat(m_depthStencilFormat)).value_or(TexelLayout());
    std::vector<uint8_t> bytes(samples * sizeof(float));
    m_depthStencilSamples.each([&](const uint8_t *texel, size_t sample) {
      const TexelValue value = decodeTexel(layout, texel);
      std::memcpy(&bytes[sample * sizeof(float)], value.data(), sizeof(float));
    });
    result.depth = {VK_FORMAT_D32_SFLOAT, width, m_scene.height, m_scene.layers, std::move(bytes)};
  }
  if (m_depthStencilAspects & VK_IMAGE_ASPECT_STENCIL_BIT) {
    std::vector<uint8_t> bytes(samples);
    m_depthStencilSamples.each([&](const uint8_t *texel, size_t sample) { bytes[sample] = texel[memory.stencilByte]; });
    result.stencil = {VK_FORMAT_S8_UINT, width, m_scene.height, m_scene.layers, std::move(bytes)};
  }
  return true;
}

} // namespace dovetail::reference

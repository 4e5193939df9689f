// SPDX-License-Identifier: MIT
#include "tools/proof/reference/scene_resources.h"
#include "src/state/format_table.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace dovetail::reference {

namespace {

VkImageUsageFlags usageOf(VkDescriptorType type) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    return VK_IMAGE_USAGE_SAMPLED_BIT;
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return VK_IMAGE_USAGE_STORAGE_BIT;
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  default:
    return 0;
  }
}

bool usesBuffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

bool usesTexelBuffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

VkImageType typeOf(VkImageViewType viewType) {
  switch (viewType) {
  case VK_IMAGE_VIEW_TYPE_1D:
  case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
    return VK_IMAGE_TYPE_1D;
  case VK_IMAGE_VIEW_TYPE_3D:
    return VK_IMAGE_TYPE_3D;
  default:
    return VK_IMAGE_TYPE_2D;
  }
}

// The bindings of all sets: the type and the number of elements of each.
using SetBindings = std::map<uint32_t, std::map<uint32_t, VkDescriptorSetLayoutBinding>>;

Result<SetBindings> bindingsOf(const Scene &scene) {
  SetBindings sets;
  for (const SceneDescriptor &descriptor : scene.descriptors) {
    if (descriptor.ycbcrConversion != 0)
      return makeError(ErrorCode::Unsupported, "set {} binding {}: lavapipe has no YCbCr conversions", descriptor.set,
                       descriptor.binding);
    VkDescriptorSetLayoutBinding &binding =
        sets[descriptor.set]
            .try_emplace(descriptor.binding, VkDescriptorSetLayoutBinding{.binding = descriptor.binding,
                                                                          .descriptorType = descriptor.type,
                                                                          .stageFlags = VK_SHADER_STAGE_ALL})
            .first->second;
    if (binding.descriptorType != descriptor.type)
      return makeError(ErrorCode::Unsupported, "set {} binding {} is of two descriptor types", descriptor.set,
                       descriptor.binding);
    binding.descriptorCount = std::max(binding.descriptorCount, descriptor.element + 1);
  }
  return sets;
}

} // namespace

Result<SceneResources> SceneResources::make(const VulkanDevice &device, const Scene &scene, Garbage &garbage) {
  SceneResources resources(device, scene);
  DOVETAIL_CHECK(resources.makeBuffers(garbage));
  DOVETAIL_CHECK(resources.makeImages(garbage));
  DOVETAIL_CHECK(resources.makeSamplers(garbage));
  DOVETAIL_CHECK(resources.makeLayout(garbage));
  DOVETAIL_CHECK(resources.makeSets(garbage));
  return resources;
}

Result<void> SceneResources::makeBuffers(Garbage &garbage) {
  for (const std::vector<uint8_t> &bytes : m_scene.buffers) {
    HostBuffer buffer = DOVETAIL_TRY(m_device.makeBuffer(bytes.size(), garbage));
    std::ranges::copy(bytes, buffer.data);
    m_buffers.push_back(buffer);
  }
  if (!m_scene.addresses.empty() && !m_device.hasBufferAddresses())
    return makeError(ErrorCode::Unsupported, "lavapipe has no addresses of buffers");
  for (size_t index = 0; index < m_buffers.size(); ++index)
    writeAddresses(m_scene, uint32_t(index), addressOf(), {m_buffers[index].data, m_buffers[index].size});
  return {};
}

Result<void> SceneResources::makeImages(Garbage &garbage) {
  std::vector<VkImageUsageFlags> usages(m_scene.images.size(), 0);
  for (const SceneDescriptor &descriptor : m_scene.descriptors) {
    if (VkImageUsageFlags usage = usageOf(descriptor.type))
      usages[descriptor.image] |= usage;
  }
  for (size_t index = 0; index < m_scene.images.size(); ++index) {
    const SceneImage &image = m_scene.images[index];
    Image &made = m_images.emplace_back();
    made.aspect = hasDepth(image.format)     ? VK_IMAGE_ASPECT_DEPTH_BIT
                  : hasStencil(image.format) ? VK_IMAGE_ASPECT_STENCIL_BIT
                                             : VK_IMAGE_ASPECT_COLOR_BIT;
    made.isWritable = usages[index] & VK_IMAGE_USAGE_STORAGE_BIT;
    made.image = DOVETAIL_TRY(
        m_device.makeImage({.type = typeOf(image.viewType),
                            .viewType = image.viewType,
                            .format = image.format,
                            .extent = {image.width, image.height, image.depth},
                            .mipLevels = image.mipLevels,
                            .layers = image.layers,
                            .samples = image.samples,
                            .usage = usages[index] | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                            .aspect = made.aspect},
                           garbage));
    if (image.samples > 1)
      continue;
    made.staging = DOVETAIL_TRY(m_device.makeBuffer(image.bytes.size(), garbage));
    std::ranges::copy(image.bytes, made.staging.data);
  }
  return {};
}

Result<void> SceneResources::makeSamplers(Garbage &garbage) {
  for (const SceneSampler &sampler : m_scene.samplers) {
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = sampler.magFilter,
                                .minFilter = sampler.minFilter,
                                .mipmapMode = sampler.mipmapMode,
                                .addressModeU = sampler.addressModeU,
                                .addressModeV = sampler.addressModeV,
                                .addressModeW = sampler.addressModeW,
                                .mipLodBias = sampler.mipLodBias,
                                .compareEnable = sampler.compareEnable,
                                .compareOp = sampler.compareOp,
                                .minLod = sampler.minLod,
                                .maxLod = sampler.maxLod,
                                .borderColor = sampler.borderColor,
                                .unnormalizedCoordinates = sampler.unnormalizedCoordinates};
    VkSampler made = VK_NULL_HANDLE;
    DOVETAIL_CHECK(checkVk("vkCreateSampler", vkCreateSampler(m_device.handle(), &info, nullptr, &made)));
    garbage.add([device = m_device.handle(), made] { vkDestroySampler(device, made, nullptr); });
    m_samplers.push_back(made);
  }
  return {};
}

Result<void> SceneResources::makeLayout(Garbage &garbage) {
  VkDevice device = m_device.handle();
  SetBindings sets = DOVETAIL_TRY(bindingsOf(m_scene));
  uint32_t setCount = sets.empty() ? 0 : sets.rbegin()->first + 1;
  if (setCount > m_device.limits().maxBoundDescriptorSets)
    return makeError(ErrorCode::Unsupported, "lavapipe binds {} descriptor sets, the scene has set {}",
                     m_device.limits().maxBoundDescriptorSets, setCount - 1);
  for (uint32_t set = 0; set < setCount; ++set) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const auto &[number, binding] : sets[set])
      bindings.push_back(binding);
    VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = static_cast<uint32_t>(bindings.size()),
                                            .pBindings = bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    DOVETAIL_CHECK(
        checkVk("vkCreateDescriptorSetLayout", vkCreateDescriptorSetLayout(device, &info, nullptr, &layout)));
    garbage.add([device, layout] { vkDestroyDescriptorSetLayout(device, layout, nullptr); });
    m_setLayouts.push_back(layout);
  }
  if (m_scene.pushConstants.size() > m_device.limits().maxPushConstantsSize)
    return makeError(ErrorCode::Unsupported, "lavapipe has {} bytes of push constants, the scene has {}",
                     m_device.limits().maxPushConstantsSize, m_scene.pushConstants.size());
  VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_ALL,
                               .size = (static_cast<uint32_t>(m_scene.pushConstants.size()) + 3) & ~3u};
  VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                     .setLayoutCount = setCount,
                                     .pSetLayouts = m_setLayouts.data(),
                                     .pushConstantRangeCount = range.size > 0 ? 1u : 0u,
                                     .pPushConstantRanges = &range};
  DOVETAIL_CHECK(checkVk("vkCreatePipelineLayout", vkCreatePipelineLayout(device, &info, nullptr, &m_layout)));
  garbage.add([device, layout = m_layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
  return {};
}

Result<VkBufferView> SceneResources::makeBufferView(const SceneDescriptor &descriptor, Garbage &garbage) const {
  bool isStorage = descriptor.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  DOVETAIL_CHECK(m_device.checkBufferFormat(descriptor.texelFormat, isStorage
                                                                        ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT
                                                                        : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT));
  VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                 .buffer = m_buffers[descriptor.buffer].buffer,
                                 .format = descriptor.texelFormat,
                                 .range = VK_WHOLE_SIZE};
  VkBufferView view = VK_NULL_HANDLE;
  DOVETAIL_CHECK(checkVk("vkCreateBufferView", vkCreateBufferView(m_device.handle(), &info, nullptr, &view)));
  garbage.add([device = m_device.handle(), view] { vkDestroyBufferView(device, view, nullptr); });
  return view;
}

Result<void> SceneResources::makeSets(Garbage &garbage) {
  if (m_setLayouts.empty())
    return {};
  VkDevice device = m_device.handle();
  std::map<VkDescriptorType, uint32_t> counts;
  for (const auto &[set, bindings] : DOVETAIL_TRY(bindingsOf(m_scene)))
    for (const auto &[number, binding] : bindings)
      counts[binding.descriptorType] += binding.descriptorCount;
  std::vector<VkDescriptorPoolSize> sizes;
  for (const auto &[type, count] : counts)
    sizes.push_back({type, count});
  VkDescriptorPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                         .maxSets = static_cast<uint32_t>(m_setLayouts.size()),
                                         .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                         .pPoolSizes = sizes.data()};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  DOVETAIL_CHECK(checkVk("vkCreateDescriptorPool", vkCreateDescriptorPool(device, &poolInfo, nullptr, &pool)));
  garbage.add([device, pool] { vkDestroyDescriptorPool(device, pool, nullptr); });
  m_sets.resize(m_setLayouts.size());
  VkDescriptorSetAllocateInfo allocateInfo = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = static_cast<uint32_t>(m_setLayouts.size()),
                                              .pSetLayouts = m_setLayouts.data()};
  DOVETAIL_CHECK(checkVk("vkAllocateDescriptorSets", vkAllocateDescriptorSets(device, &allocateInfo, m_sets.data())));

  for (const SceneDescriptor &descriptor : m_scene.descriptors) {
    VkDescriptorBufferInfo buffer = {.range = VK_WHOLE_SIZE};
    VkDescriptorImageInfo image = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkBufferView view = VK_NULL_HANDLE;
    if (usesBuffer(descriptor.type))
      buffer.buffer = m_buffers[descriptor.buffer].buffer;
    if (usesTexelBuffer(descriptor.type))
      view = DOVETAIL_TRY(makeBufferView(descriptor, garbage));
    if (usageOf(descriptor.type))
      image.imageView = m_images[descriptor.image].image.view;
    if (descriptor.type == VK_DESCRIPTOR_TYPE_SAMPLER || descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      image.sampler = m_samplers[descriptor.sampler];
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = m_sets[descriptor.set],
                                  .dstBinding = descriptor.binding,
                                  .dstArrayElement = descriptor.element,
                                  .descriptorCount = 1,
                                  .descriptorType = descriptor.type,
                                  .pImageInfo = &image,
                                  .pBufferInfo = &buffer,
                                  .pTexelBufferView = &view};
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  return {};
}

// One region for each level, as SceneImage::bytes is laid out.
std::vector<VkBufferImageCopy> SceneResources::copies(size_t index) const {
  const SceneImage &image = m_scene.images[index];
  VkDeviceSize texelBytes = texelLayout(image.format).value_or(TexelLayout()).bytes;
  std::vector<VkBufferImageCopy> regions;
  VkDeviceSize offset = 0;
  for (uint32_t level = 0; level < image.mipLevels; ++level) {
    VkExtent3D extent = {std::max(image.width >> level, 1u), std::max(image.height >> level, 1u),
                         std::max(image.depth >> level, 1u)};
    regions.push_back({.bufferOffset = offset,
                       .imageSubresource = {m_images[index].aspect, level, 0, image.layers},
                       .imageExtent = extent});
    offset += texelBytes * extent.width * extent.height * extent.depth * image.layers;
  }
  return regions;
}

// All samples of a layer have one value.
void SceneResources::recordClear(VkCommandBuffer commands, size_t index) const {
  const SceneImage &image = m_scene.images[index];
  TexelLayout layout = texelLayout(image.format).value_or(TexelLayout());
  for (uint32_t layer = 0; layer < image.layers; ++layer) {
    TexelValue value = decodeTexel(layout, &image.bytes[size_t(layer) * layout.bytes]);
    VkImageSubresourceRange range = {m_images[index].aspect, 0, 1, layer, 1};
    if (m_images[index].aspect == VK_IMAGE_ASPECT_COLOR_BIT) {
      VkClearColorValue color;
      std::memcpy(color.uint32, value.data(), sizeof(color.uint32));
      vkCmdClearColorImage(commands, m_images[index].image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    } else {
      VkClearDepthStencilValue cleared = {std::bit_cast<float>(value[0]), value[0]};
      vkCmdClearDepthStencilImage(commands, m_images[index].image.image, VK_IMAGE_LAYOUT_GENERAL, &cleared, 1, &range);
    }
  }
}

void SceneResources::recordUpload(VkCommandBuffer commands) const {
  for (size_t index = 0; index < m_images.size(); ++index) {
    const Image &image = m_images[index];
    recordFirstUse(commands, image.image.image, image.aspect);
    if (!image.staging.buffer) {
      recordClear(commands, index);
      continue;
    }
    std::vector<VkBufferImageCopy> regions = copies(index);
    vkCmdCopyBufferToImage(commands, image.staging.buffer, image.image.image, VK_IMAGE_LAYOUT_GENERAL,
                           static_cast<uint32_t>(regions.size()), regions.data());
  }
  recordBarrier(commands);
}

void SceneResources::recordBind(VkCommandBuffer commands, VkPipelineBindPoint bindPoint) const {
  if (!m_sets.empty())
    vkCmdBindDescriptorSets(commands, bindPoint, m_layout, 0, static_cast<uint32_t>(m_sets.size()), m_sets.data(), 0,
                            nullptr);
  if (m_scene.pushConstants.empty())
    return;
  std::vector<uint8_t> constants = m_scene.pushConstants;
  writeAddresses(m_scene, NoSceneBuffer, addressOf(), constants);
  constants.resize((constants.size() + 3) & ~size_t(3));
  vkCmdPushConstants(commands, m_layout, VK_SHADER_STAGE_ALL, 0, static_cast<uint32_t>(constants.size()),
                     constants.data());
}

void SceneResources::recordReadback(VkCommandBuffer commands) const {
  recordBarrier(commands);
  for (size_t index = 0; index < m_images.size(); ++index) {
    const Image &image = m_images[index];
    if (!image.isWritable || !image.staging.buffer)
      continue;
    std::vector<VkBufferImageCopy> regions = copies(index);
    vkCmdCopyImageToBuffer(commands, image.image.image, VK_IMAGE_LAYOUT_GENERAL, image.staging.buffer,
                           static_cast<uint32_t>(regions.size()), regions.data());
  }
}

void SceneResources::read(SceneResult &result) const {
  for (size_t index = 0; index < m_buffers.size(); ++index) {
    std::vector<uint8_t> &bytes =
        result.buffers.emplace_back(m_buffers[index].data, m_buffers[index].data + m_scene.buffers[index].size());
    eraseAddresses(m_scene, uint32_t(index), addressOf(), bytes);
  }
  for (size_t index = 0; index < m_images.size(); ++index) {
    const std::vector<uint8_t> &before = m_scene.images[index].bytes;
    const HostBuffer &staging = m_images[index].staging;
    result.images.push_back(staging.buffer ? std::vector<uint8_t>(staging.data, staging.data + before.size()) : before);
  }
}

} // namespace dovetail::reference

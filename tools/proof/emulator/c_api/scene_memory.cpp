// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/c_api/scene_memory.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/sized_struct.h"
#include <algorithm>

namespace dovetail::emulator_library {

namespace {

using c_api::Outcome;

Outcome<std::vector<uint8_t>> bytesOf(const void *data, size_t size, std::string_view name) {
  const auto bytes = DOVETAIL_C_TRY(c_api::readArray(static_cast<const uint8_t *>(data), size, name));
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

struct DescriptorUse {
  bool buffer = false, image = false, sampler = false, isWritten = false;
};

Outcome<DescriptorUse> useOf(uint32_t type, const std::string &name) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return DescriptorUse{.sampler = true};
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return DescriptorUse{.image = true, .sampler = true};
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return DescriptorUse{.image = true};
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return DescriptorUse{.image = true, .isWritten = true};
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    return DescriptorUse{.buffer = true};
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return DescriptorUse{.buffer = true, .isWritten = true};
  default:
    return c_api::badArgument("{}.type is {}, which is not emulated", name, type);
  }
}

} // namespace

Outcome<SceneMemory::Place *> SceneMemory::addBuffer(void *data, size_t size, const std::string &name) {
  if (!data)
    return c_api::badArgument("{} is NULL", name);
  auto [place, isNew] = m_buffers.try_emplace(data, Place{static_cast<uint32_t>(m_scene.buffers.size())});
  if (isNew)
    m_scene.buffers.push_back(DOVETAIL_C_TRY(bytesOf(data, size, name)));
  else if (size_t earlier = m_scene.buffers[place->second.index].size(); earlier != size)
    return c_api::badArgument("{} has {} bytes here, and {} in another place", name, size, earlier);
  return &place->second;
}

Outcome<SceneMemory::Place *> SceneMemory::addImage(const dovetail_emulator_image *given, const std::string &name) {
  const std::string pointer = name + ".image";
  const dovetail_emulator_image image = DOVETAIL_C_TRY(c_api::readSized(given, {}, pointer.c_str()));
  if (!image.texels)
    return c_api::badArgument("{}->texels is NULL", pointer);
  auto [place, isNew] = m_images.try_emplace(image.texels, Place{static_cast<uint32_t>(m_scene.images.size())});
  SceneImage described = {.format = static_cast<VkFormat>(image.format),
                          .viewType = static_cast<VkImageViewType>(image.view_type),
                          .width = image.width,
                          .height = image.height,
                          .depth = std::max(image.depth, 1u),
                          .layers = std::max(image.layers, 1u),
                          .mipLevels = std::max(image.mip_levels, 1u),
                          .samples = std::max(image.samples, 1u),
                          .bytes = {}};
  if (isNew) {
    described.bytes = DOVETAIL_C_TRY(bytesOf(image.texels, image.texel_bytes, pointer + "->texels"));
    m_scene.images.push_back(std::move(described));
    return &place->second;
  }
  const SceneImage &earlier = m_scene.images[place->second.index];
  if (earlier.format != described.format || earlier.viewType != described.viewType ||
      earlier.width != described.width || earlier.height != described.height || earlier.depth != described.depth ||
      earlier.layers != described.layers || earlier.mipLevels != described.mipLevels ||
      earlier.samples != described.samples || earlier.bytes.size() != image.texel_bytes)
    return c_api::badArgument("{}: the same texels are another image in another place", pointer);
  return &place->second;
}

Outcome<uint32_t> SceneMemory::addSampler(const dovetail_emulator_sampler *given, const std::string &name) {
  const std::string pointer = name + ".sampler";
  const dovetail_emulator_sampler sampler = DOVETAIL_C_TRY(c_api::readSized(given, {}, pointer.c_str()));
  DOVETAIL_C_CHECK(c_api::checkReserved(sampler.reserved, pointer + "->reserved"));
  m_scene.samplers.push_back(
      {.magFilter = static_cast<VkFilter>(sampler.mag_filter),
       .minFilter = static_cast<VkFilter>(sampler.min_filter),
       .mipmapMode = static_cast<VkSamplerMipmapMode>(sampler.mipmap_mode),
       .addressModeU = static_cast<VkSamplerAddressMode>(sampler.address_mode_u),
       .addressModeV = static_cast<VkSamplerAddressMode>(sampler.address_mode_v),
       .addressModeW = static_cast<VkSamplerAddressMode>(sampler.address_mode_w),
       .mipLodBias = sampler.mip_lod_bias,
       .compareEnable = DOVETAIL_C_TRY(c_api::readBool(sampler.compare_enable, pointer + "->compare_enable")),
       .compareOp = static_cast<VkCompareOp>(sampler.compare_op),
       .minLod = sampler.min_lod,
       .maxLod = sampler.max_lod,
       .borderColor = static_cast<VkBorderColor>(sampler.border_color),
       .unnormalizedCoordinates =
           DOVETAIL_C_TRY(c_api::readBool(sampler.unnormalized_coordinates, pointer + "->unnormalized_coordinates"))});
  return static_cast<uint32_t>(m_scene.samplers.size() - 1);
}

Outcome<void> SceneMemory::addDescriptors(const dovetail_emulator_descriptor *descriptors, size_t count) {
  for (const dovetail_emulator_descriptor &given :
       DOVETAIL_C_TRY(c_api::readArray(descriptors, count, "descriptors"))) {
    const std::string name = fmt::format("descriptors[{}]", m_scene.descriptors.size());
    DOVETAIL_C_CHECK(c_api::checkReserved(given.reserved, name + ".reserved"));
    const DescriptorUse use = DOVETAIL_C_TRY(useOf(given.type, name));
    SceneDescriptor descriptor = {.set = given.set,
                                  .binding = given.binding,
                                  .element = given.element,
                                  .type = static_cast<VkDescriptorType>(given.type),
                                  .texelFormat = static_cast<VkFormat>(given.texel_format)};
    if (use.buffer) {
      Place *place = DOVETAIL_C_TRY(addBuffer(given.data, given.data_size, name + ".data"));
      place->isWritten |= use.isWritten;
      descriptor.buffer = place->index;
    }
    if (use.image) {
      Place *place = DOVETAIL_C_TRY(addImage(given.image, name));
      place->isWritten |= use.isWritten;
      descriptor.image = place->index;
    }
    if (use.sampler)
      descriptor.sampler = DOVETAIL_C_TRY(addSampler(given.sampler, name));
    m_scene.descriptors.push_back(descriptor);
  }
  return {};
}

Outcome<void> SceneMemory::addPushConstants(const void *data, size_t size) {
  m_scene.pushConstants = DOVETAIL_C_TRY(bytesOf(data, size, "push_constants"));
  return {};
}

Outcome<void> SceneMemory::addTransformFeedback(std::span<const dovetail_emulator_memory> buffers) {
  for (const dovetail_emulator_memory &buffer : buffers) {
    uint32_t index = NoSceneBuffer;
    if (buffer.data) {
      Place *place = DOVETAIL_C_TRY(addBuffer(buffer.data, buffer.data_size, "transform_feedback_buffers"));
      place->isWritten = true;
      index = place->index;
    }
    m_scene.transformFeedbackBuffers.push_back(index);
  }
  return {};
}

void SceneMemory::writeBack(const SceneResult &result) const {
  for (const auto &[address, place] : m_buffers)
    if (place.isWritten)
      std::copy_n(result.buffers[place.index].begin(), m_scene.buffers[place.index].size(),
                  static_cast<uint8_t *>(address));
  for (const auto &[address, place] : m_images)
    if (place.isWritten)
      std::copy_n(result.images[place.index].begin(), m_scene.images[place.index].bytes.size(),
                  static_cast<uint8_t *>(address));
}

} // namespace dovetail::emulator_library

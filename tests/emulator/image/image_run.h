// SPDX-License-Identifier: MIT
//
// Assembly that works on one image: T# in s[0:7], S# in s[8:11].
#pragma once

#include "tests/emulator/isa/run_assembly.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include <cstring>

namespace dovetail::emulator::test {

// An image of VK_FORMAT_R32_SFLOAT; f(level, slice, y, x) is a texel. Slices are layers or, of 3D images, z.
template <typename F>
SceneImage floatImage(VkImageViewType type, uint32_t width, uint32_t height, uint32_t slices, uint32_t levels, F f) {
  SceneImage image;
  image.format = VK_FORMAT_R32_SFLOAT;
  image.viewType = type;
  image.width = width;
  image.height = height;
  image.mipLevels = levels;
  (type == VK_IMAGE_VIEW_TYPE_3D ? image.depth : image.layers) = slices;
  for (uint32_t level = 0; level < levels; ++level)
    for (uint32_t slice = 0; slice < (type == VK_IMAGE_VIEW_TYPE_3D ? std::max(slices >> level, 1u) : slices); ++slice)
      for (uint32_t y = 0; y < std::max(height >> level, 1u); ++y)
        for (uint32_t x = 0; x < std::max(width >> level, 1u); ++x) {
          float value = f(level, slice, y, x);
          const auto *bytes = reinterpret_cast<const uint8_t *>(&value);
          image.bytes.insert(image.bytes.end(), bytes, bytes + 4);
        }
  return image;
}

// Texels 0, 1, 2, … in rows.
inline SceneImage rampImage(uint32_t width, uint32_t height = 1) {
  return floatImage(VK_IMAGE_VIEW_TYPE_2D, width, height, 1, 1,
                    [=](uint32_t, uint32_t, uint32_t y, uint32_t x) { return float(y * width + x); });
}

inline SceneSampler nearestSampler(VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) {
  SceneSampler sampler;
  sampler.magFilter = sampler.minFilter = VK_FILTER_NEAREST;
  sampler.addressModeU = sampler.addressModeV = sampler.addressModeW = mode;
  return sampler;
}

inline SceneSampler linearSampler(VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) {
  SceneSampler sampler = nearestSampler(mode);
  sampler.magFilter = sampler.minFilter = VK_FILTER_LINEAR;
  return sampler;
}

struct ImageRun : AssemblyRun {
  uint64_t address;

  explicit ImageRun(const SceneImage &image, const SceneSampler &sampler = {}, Generation generation = Generation::Gfx9)
      : AssemblyRun(generation) {
    address = gpu.memory().map("image", imageMemory(image));
    std::array<uint32_t, 8> descriptor = imageDescriptor(generation, image, address).value();
    setup.sgprs.assign(descriptor.begin(), descriptor.end());
    for (uint32_t word : samplerDescriptor(sampler))
      setup.sgprs.push_back(word);
    setup.exec = 0xffff;
  }

  // VGPRs from v0 on, the same in all lanes.
  void addresses(std::initializer_list<float> values) {
    setup.vgprs.clear();
    for (float value : values)
      setup.vgprs.push_back(allLanes(value));
  }
  void integers(std::initializer_list<uint32_t> values) {
    setup.vgprs.clear();
    for (uint32_t value : values)
      setup.vgprs.push_back(allLanes(value));
  }

  // Runs an instruction whose result is v16, waits, and gives v16 of a lane.
  float result(std::string_view text, unsigned lane = 0) {
    run(std::string(text) + "\ns_waitcnt vmcnt(0)");
    return vgprFloat(16, lane);
  }
  uint32_t bits(std::string_view text, unsigned lane = 0) {
    result(text, lane);
    return vgpr(16, lane);
  }
  uint32_t word(uint32_t index) {
    uint32_t value;
    std::memcpy(&value, gpu.memory().at(address + index * 4, 4).data(), 4);
    return value;
  }
};

} // namespace dovetail::emulator::test

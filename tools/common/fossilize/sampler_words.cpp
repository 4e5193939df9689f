// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/sampler_words.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include <algorithm>
#include <bit>

namespace dovetail::fossilize {

SceneSampler toSceneSampler(const Sampler &from) {
  SceneSampler sampler;
  sampler.magFilter = from.magFilter == VK_FILTER_NEAREST ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  sampler.minFilter = from.minFilter == VK_FILTER_NEAREST ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
  sampler.mipmapMode =
      from.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  auto mode = [](VkSamplerAddressMode value) {
    return value <= VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE ? value : VK_SAMPLER_ADDRESS_MODE_REPEAT;
  };
  sampler.addressModeU = mode(from.addressModeU);
  sampler.addressModeV = mode(from.addressModeV);
  sampler.addressModeW = mode(from.addressModeW);
  sampler.mipLodBias = from.mipLodBias;
  sampler.compareEnable = from.compareEnable;
  sampler.compareOp = from.compareOp <= VK_COMPARE_OP_ALWAYS ? from.compareOp : VK_COMPARE_OP_ALWAYS;
  sampler.minLod = from.minLod;
  sampler.maxLod = from.maxLod;
  if (from.borderColor <= VK_BORDER_COLOR_INT_OPAQUE_WHITE)
    sampler.borderColor = from.borderColor;
  sampler.unnormalizedCoordinates = from.unnormalizedCoordinates;
  return sampler;
}

std::array<uint32_t, 4> samplerWords(const Sampler &sampler) {
  std::array<uint32_t, 4> words = emulator::samplerDescriptor(toSceneSampler(sampler));
  if (!sampler.anisotropyEnable || !(sampler.maxAnisotropy > 1))
    return words;
  // "Vega" ISA manual, 8.4.3: MAX_ANISO_RATIO is a logarithm, up to 16:1; filters 2 and 3 are the anisotropic ones.
  constexpr float MaxRatio = 16;
  constexpr uint32_t Anisotropic = 2;
  emulator::SamplerDescriptor descriptor = emulator::decodeSamplerDescriptor(words);
  descriptor.maxAnisoRatio = uint32_t(std::bit_width(uint32_t(std::min(sampler.maxAnisotropy, MaxRatio)))) - 1;
  descriptor.magFilter |= Anisotropic;
  descriptor.minFilter |= Anisotropic;
  return emulator::encode(descriptor);
}

} // namespace dovetail::fossilize

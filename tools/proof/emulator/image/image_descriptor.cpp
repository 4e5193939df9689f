// SPDX-License-Identifier: MIT
//
// Each descriptor has one list of its bit fields, for encoding and decoding. Sources: the positions are those of the
// "Vega" ISA manual's tables (and "GCN3" for GFX8). They were compared with AMD's register headers, which call the
// dwords SQ_IMG_RSRC_WORD0..7 and SQ_IMG_SAMP_WORD0..3 (Mesa's gfx8.json and gfx9.json). For the values that drivers
// write: Mesa, radv_image.c, si_make_texture_descriptor, and radv_device.c, radv_init_sampler.
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/emulator/image/image_format.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail::emulator {

namespace {

struct BitField {
  uint8_t word, first, bits;
};

constexpr uint32_t maskOf(unsigned bits) {
  return (1u << bits) - 1;
}

template <typename Descriptor, typename Visit>
void forEachImageField(Generation generation, Descriptor &image, Visit &&visit) {
  bool isGfx9 = generation == Generation::Gfx9;
  visit(BitField{1, 8, 12}, image.minLod);
  visit(BitField{1, 20, 6}, image.dataFormat);
  visit(BitField{1, 26, 4}, image.numFormat);
  visit(BitField{2, 0, 14}, image.widthMinusOne);
  visit(BitField{2, 14, 14}, image.heightMinusOne);
  for (uint8_t i = 0; i != 4; ++i)
    visit(BitField{3, uint8_t(3 * i), 3}, image.dstSel[i]);
  visit(BitField{3, 12, 4}, image.baseLevel);
  visit(BitField{3, 16, 4}, image.lastLevel);
  visit(BitField{3, 20, 5}, image.swizzleMode); // GFX8: TILING_INDEX
  visit(BitField{3, 28, 4}, image.type);
  visit(BitField{4, 0, 13}, image.depthMinusOne);
  visit(BitField{4, 13, uint8_t(isGfx9 ? 16 : 14)}, image.pitchMinusOne);
  visit(BitField{5, 0, 13}, image.baseArray);
  if (isGfx9) {
    visit(BitField{4, 29, 3}, image.borderSwizzle);
    visit(BitField{5, 28, 4}, image.maxMip);
  } else {
    visit(BitField{5, 13, 13}, image.lastArray);
  }
}

template <typename Descriptor, typename Visit> void forEachSamplerField(Descriptor &sampler, Visit &&visit) {
  for (uint8_t i = 0; i != 3; ++i)
    visit(BitField{0, uint8_t(3 * i), 3}, sampler.clamp[i]);
  visit(BitField{0, 9, 3}, sampler.maxAnisoRatio);
  visit(BitField{0, 12, 3}, sampler.compareFunc);
  visit(BitField{0, 15, 1}, sampler.forceUnnormalized);
  visit(BitField{0, 28, 1}, sampler.disableCubeWrap);
  visit(BitField{0, 29, 2}, sampler.filterMode);
  visit(BitField{1, 0, 12}, sampler.minLod);
  visit(BitField{1, 12, 12}, sampler.maxLod);
  visit(BitField{2, 0, 14}, sampler.lodBias);
  visit(BitField{2, 20, 2}, sampler.magFilter);
  visit(BitField{2, 22, 2}, sampler.minFilter);
  visit(BitField{2, 24, 2}, sampler.zFilter);
  visit(BitField{2, 26, 2}, sampler.mipFilter);
  visit(BitField{3, 30, 2}, sampler.borderColorType);
}

// Writes the fields of a list into words, or reads them.
template <size_t N> auto writeInto(std::array<uint32_t, N> &words) {
  return [&words](BitField field, auto value) {
    words[field.word] |= (uint32_t(value) & maskOf(field.bits)) << field.first;
  };
}

template <size_t N> auto readFrom(const std::array<uint32_t, N> &words) {
  return [&words](BitField field, auto &value) {
    value = std::decay_t<decltype(value)>(words[field.word] >> field.first & maskOf(field.bits));
  };
}

// GFX9 has no 1D surfaces in memory: drivers describe them as 2D surfaces of height 1, and shaders address them as
// such.
ImageType imageTypeOf(Generation generation, const SceneImage &image) {
  bool isGfx9 = generation == Generation::Gfx9;
  bool isMultisampled = image.samples > 1;
  switch (image.viewType) {
  case VK_IMAGE_VIEW_TYPE_1D:
    return isGfx9 ? ImageType::Dim2D : ImageType::Dim1D;
  case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
    return isGfx9 ? ImageType::Array2D : ImageType::Array1D;
  case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
    return isMultisampled ? ImageType::MsaaArray2D : ImageType::Array2D;
  case VK_IMAGE_VIEW_TYPE_3D:
    return ImageType::Dim3D;
  case VK_IMAGE_VIEW_TYPE_CUBE:
  case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
    return ImageType::Cube;
  default:
    return isMultisampled ? ImageType::Msaa2D : ImageType::Dim2D;
  }
}

// BC_SWIZZLE: the border colour is r, g, b, a. DST_SEL also applies to border texels, so they must have the order of
// the texel's components.
uint32_t borderSwizzleOf(const std::array<uint8_t, 4> &dstSel) {
  enum { XYZW = 0, WZYX = 2, WXYZ = 3, ZYXW = 4 };
  constexpr uint8_t X = 4, Z = 6, W = 7;
  if (dstSel[3] == X)
    return dstSel[0] == W ? WZYX : WXYZ;
  return dstSel[0] == Z ? ZYXW : XYZW;
}

uint32_t lodField(float levels) {
  return uint32_t(std::lround(std::clamp(levels, 0.0f, 4095.0f / 256) * 256));
}

uint32_t wrapField(VkSamplerAddressMode mode) {
  switch (mode) {
  case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
    return 1; // MIRROR
  case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE:
    return 2; // CLAMP_LAST_TEXEL
  case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
    return 6; // CLAMP_BORDER
  case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
    return 3; // MIRROR_ONCE_LAST_TEXEL
  default:
    return 0; // WRAP
  }
}

VkSamplerAddressMode modeOf(uint32_t clamp) {
  for (VkSamplerAddressMode mode :
       {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE})
    if (wrapField(mode) == clamp)
      return mode;
  return VK_SAMPLER_ADDRESS_MODE_REPEAT;
}

uint32_t borderField(VkBorderColor color) {
  switch (color) {
  case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
  case VK_BORDER_COLOR_INT_OPAQUE_BLACK:
    return 1;
  case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
  case VK_BORDER_COLOR_INT_OPAQUE_WHITE:
    return 2;
  default:
    return 0;
  }
}

} // namespace

std::array<uint32_t, 8> encode(Generation generation, const ImageDescriptor &descriptor) {
  std::array<uint32_t, 8> words = {};
  words[0] = uint32_t(descriptor.address >> 8);
  words[1] = uint32_t(descriptor.address >> 40 & 0xff);
  forEachImageField(generation, descriptor, writeInto(words));
  return words;
}

ImageDescriptor decodeImageDescriptor(Generation generation, const std::array<uint32_t, 8> &words) {
  ImageDescriptor descriptor;
  descriptor.address = uint64_t(words[0]) << 8 | uint64_t(words[1] & 0xff) << 40;
  forEachImageField(generation, descriptor, readFrom(words));
  if (generation == Generation::Gfx9)
    descriptor.lastArray = descriptor.type == ImageType::Dim3D ? 0 : descriptor.depthMinusOne;
  return descriptor;
}

std::array<uint32_t, 4> encode(const SamplerDescriptor &descriptor) {
  std::array<uint32_t, 4> words = {};
  forEachSamplerField(descriptor, writeInto(words));
  return words;
}

SamplerDescriptor decodeSamplerDescriptor(const std::array<uint32_t, 4> &words) {
  SamplerDescriptor descriptor;
  forEachSamplerField(descriptor, readFrom(words));
  return descriptor;
}

Result<std::array<uint32_t, 8>> imageDescriptor(Generation generation, const SceneImage &image, uint64_t address) {
  ImageFormat format = DOVETAIL_TRY(imageFormat(image.format));
  ImageDescriptor descriptor;
  descriptor.address = address;
  descriptor.dataFormat = format.dataFormat;
  descriptor.numFormat = format.numFormat;
  std::copy(format.dstSel.begin(), format.dstSel.end(), descriptor.dstSel.begin());
  descriptor.type = imageTypeOf(generation, image);
  descriptor.widthMinusOne = descriptor.pitchMinusOne = image.width - 1;
  descriptor.heightMinusOne = image.height - 1;
  descriptor.lastArray = image.layers - 1;
  if (descriptor.type == ImageType::Dim3D)
    descriptor.depthMinusOne = image.depth - 1;
  else if (generation == Generation::Gfx9)
    descriptor.depthMinusOne = descriptor.lastArray;
  else
    descriptor.depthMinusOne = descriptor.type == ImageType::Cube ? image.layers / 6 - 1 : image.layers - 1;
  descriptor.lastLevel = image.samples > 1 ? uint32_t(std::bit_width(image.samples)) - 1 : image.mipLevels - 1;
  descriptor.maxMip = descriptor.lastLevel;
  descriptor.borderSwizzle = borderSwizzleOf(format.dstSel);
  return encode(generation, descriptor);
}

std::vector<uint8_t> imageMemory(const SceneImage &image) {
  if (image.samples == 1)
    return image.bytes;
  // All samples of a layer have one value.
  size_t samplesOfLayer = size_t(image.width) * image.height * image.samples;
  size_t texelBytes = image.bytes.size() / image.layers;
  std::vector<uint8_t> memory;
  memory.reserve(image.bytes.size() * samplesOfLayer);
  for (size_t layer = 0; layer != image.layers; ++layer)
    for (size_t sample = 0; sample != samplesOfLayer; ++sample) {
      auto first = image.bytes.begin() + ptrdiff_t(layer * texelBytes);
      memory.insert(memory.end(), first, first + ptrdiff_t(texelBytes));
    }
  return memory;
}

std::array<uint32_t, 4> samplerDescriptor(const SceneSampler &sampler) {
  SamplerDescriptor descriptor;
  descriptor.clamp = {wrapField(sampler.addressModeU), wrapField(sampler.addressModeV),
                      wrapField(sampler.addressModeW)};
  descriptor.compareFunc = sampler.compareEnable ? uint32_t(sampler.compareOp) : 0;
  descriptor.forceUnnormalized = sampler.unnormalizedCoordinates;
  descriptor.minLod = lodField(sampler.minLod);
  descriptor.maxLod = lodField(sampler.maxLod);
  descriptor.lodBias = uint32_t(std::lround(std::clamp(sampler.mipLodBias, -16.0f, 16.0f) * 256)) & maskOf(14);
  descriptor.magFilter = sampler.magFilter == VK_FILTER_LINEAR;
  descriptor.minFilter = sampler.minFilter == VK_FILTER_LINEAR;
  descriptor.mipFilter = sampler.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? 2 : 1;
  descriptor.borderColorType = borderField(sampler.borderColor);
  return encode(descriptor);
}

SceneSampler toSceneSampler(const std::array<uint32_t, 4> &words) {
  const SamplerDescriptor descriptor = decodeSamplerDescriptor(words);
  constexpr uint32_t Bilinear = 1, BothLevels = 2;
  constexpr float Fraction = 256;
  SceneSampler sampler;
  sampler.addressModeU = modeOf(descriptor.clamp[0]);
  sampler.addressModeV = modeOf(descriptor.clamp[1]);
  sampler.addressModeW = modeOf(descriptor.clamp[2]);
  sampler.compareEnable = true;
  sampler.compareOp = VkCompareOp(descriptor.compareFunc);
  sampler.unnormalizedCoordinates = descriptor.forceUnnormalized != 0;
  sampler.minLod = float(descriptor.minLod) / Fraction;
  sampler.maxLod = float(descriptor.maxLod) / Fraction;
  const int32_t lodBias = int32_t(descriptor.lodBias << 18) >> 18;
  sampler.mipLodBias = float(lodBias) / Fraction;
  sampler.magFilter = descriptor.magFilter & Bilinear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  sampler.minFilter = descriptor.minFilter & Bilinear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  sampler.mipmapMode =
      descriptor.mipFilter == BothLevels ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  constexpr VkBorderColor Borders[] = {VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK,
                                       VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
  sampler.borderColor = Borders[descriptor.borderColorType];
  return sampler;
}

} // namespace dovetail::emulator

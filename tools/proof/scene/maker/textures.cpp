// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/textures.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail {

namespace {

using spirv::ImageDimension;

// A format that is listed twice is twice as likely. sRGB is missing: llvmpipe decodes it with a polynomial that is off
// by up to 0.001 (Mesa 22.3, lp_build_srgb_to_linear()).
constexpr VkFormat SampledFormats[] = {
    VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_B8G8R8A8_UNORM,      VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    VK_FORMAT_R16G16B16A16_UNORM,  VK_FORMAT_R5G6B5_UNORM_PACK16,
    VK_FORMAT_R8G8_UNORM,          VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R32_SFLOAT,          VK_FORMAT_B10G11R11_UFLOAT_PACK32,
    VK_FORMAT_R8G8B8A8_SNORM,
};
// For input attachments, which were colour attachments before.
constexpr VkFormat AttachmentFormats[] = {
    VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R8G8B8A8_UNORM,           VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R32_SFLOAT,
};
constexpr VkFormat SampledSintFormats[] = {VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R16G16_SINT,
                                           VK_FORMAT_R32_SINT};
constexpr VkFormat SampledUintFormats[] = {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R16G16_UINT,
                                           VK_FORMAT_R32_UINT};
constexpr VkFormat DepthFormats[] = {VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT, VK_FORMAT_D16_UNORM};
// For storage images without a declared format, indexed by NumericClass.
constexpr VkFormat StorageFormats[] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SINT,
                                       VK_FORMAT_R32G32B32A32_UINT};

// The declared format, otherwise one that the shader's type allows.
template <size_t Count>
VkFormat formatOf(const spirv::ImageShape &shape, bool isStorage, const VkFormat (&floatFormats)[Count],
                  Random &random) {
  if (shape.format != VK_FORMAT_UNDEFINED)
    return shape.format;
  if (isStorage)
    return StorageFormats[static_cast<size_t>(shape.numericClass)];
  switch (shape.numericClass) {
  case NumericClass::Sint:
    return random.pick(SampledSintFormats);
  case NumericClass::Uint:
    return random.pick(SampledUintFormats);
  case NumericClass::Float:
    break;
  }
  return random.pick(floatFormats);
}

VkFormat imageFormat(const ImageNeeds &needs, Random &random) {
  if (needs.comparesDepth)
    return random.pick(DepthFormats);
  if (needs.shape.dimension == ImageDimension::SubpassData)
    return formatOf(needs.shape, needs.isStorage, AttachmentFormats, random);
  return formatOf(needs.shape, needs.isStorage, SampledFormats, random);
}

// A function on the unit cube, with values between 0.1 and 0.9 and a period of 1 in each direction.
class Content {
public:
  explicit Content(Random &random) {
    for (auto &channel : m_phases)
      for (float &phase : channel)
        phase = random.real();
    for (float &step : m_layerStep)
      step = random.real(0.1f, 0.9f);
  }

  TexelValue at(const TexelLayout &layout, float x, float y, float z, uint32_t layer) const {
    TexelValue texel;
    for (unsigned c = 0; c < 4; ++c) {
      float value = 0.5f + 0.15f * wave(x + m_phases[c][0] + m_layerStep[c] * layer) +
                    0.15f * wave(y + m_phases[c][1]) + 0.1f * wave(z + m_phases[c][2]);
      texel[c] = layout.isInteger() ? static_cast<uint32_t>(value * 4) : std::bit_cast<uint32_t>(value);
    }
    return texel;
  }

private:
  float m_phases[4][3], m_layerStep[4];
};

Result<VkImageViewType> viewTypeOf(const spirv::ImageShape &shape) {
  switch (shape.dimension) {
  case ImageDimension::Dim1D:
    return shape.isArrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
  case ImageDimension::Dim2D:
  case ImageDimension::SubpassData:
  case ImageDimension::Rect:
    return shape.isArrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  case ImageDimension::Dim3D:
    return VK_IMAGE_VIEW_TYPE_3D;
  case ImageDimension::Cube:
    return shape.isArrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
  case ImageDimension::Buffer:
    break;
  }
  return makeError(ErrorCode::Unsupported, "an image of a shape that Vulkan does not have");
}

void chooseSize(const ImageNeeds &needs, Random &random, SceneImage &image) {
  constexpr uint32_t Sides[] = {8, 16, 16, 20, 24, 32};
  image.width = needs.isStorage ? needs.storageSide : random.pick(Sides);
  image.height = needs.isStorage ? needs.storageSide : random.pick(Sides);
  switch (needs.shape.dimension) {
  case ImageDimension::Dim1D:
    image.height = 1;
    break;
  case ImageDimension::SubpassData:
    image.width = needs.targetWidth;
    image.height = needs.targetHeight;
    break;
  case ImageDimension::Dim3D:
    image.depth = random.between(4, 8);
    break;
  case ImageDimension::Cube:
    image.height = image.width;
    image.layers = 6;
    break;
  default:
    break;
  }
  if (needs.shape.isArrayed)
    image.layers *= needs.shape.dimension == ImageDimension::Cube ? 2 : random.between(3, 5);
  image.samples = needs.shape.isMultisampled ? 4 : 1;
  uint32_t largest = std::max({image.width, image.height, image.depth});
  uint32_t levels = std::bit_width(largest);
  if (!needs.isStorage && image.samples == 1 && needs.shape.dimension != ImageDimension::SubpassData &&
      needs.shape.dimension != ImageDimension::Rect)
    image.mipLevels = random.chance(70) ? levels : random.between(1, levels);
}

// Fills in the texels.
Result<SceneImage> fill(SceneImage image, Random &random) {
  TexelLayout layout = DOVETAIL_TRY(texelLayout(image.format));
  Content content(random);
  auto append = [&](float x, float y, float z, uint32_t layer) {
    image.bytes.resize(image.bytes.size() + layout.bytes);
    encodeTexel(layout, content.at(layout, x, y, z, layer), &image.bytes[image.bytes.size() - layout.bytes]);
  };
  if (image.samples > 1) {
    for (uint32_t layer = 0; layer < image.layers; ++layer)
      append(0, 0, 0, layer);
    return image;
  }
  for (uint32_t level = 0; level < image.mipLevels; ++level) {
    uint32_t width = std::max(image.width >> level, 1u), height = std::max(image.height >> level, 1u);
    uint32_t depth = std::max(image.depth >> level, 1u);
    for (uint32_t layer = 0; layer < image.layers; ++layer)
      for (uint32_t z = 0; z < depth; ++z)
        for (uint32_t y = 0; y < height; ++y)
          for (uint32_t x = 0; x < width; ++x)
            append((x + 0.5f) / width, (y + 0.5f) / height, (z + 0.5f) / depth, layer);
  }
  return image;
}

} // namespace

Result<SceneImage> makeImage(const ImageNeeds &needs, Random &random) {
  SceneImage image;
  image.viewType = DOVETAIL_TRY(viewTypeOf(needs.shape));
  image.format = imageFormat(needs, random);
  chooseSize(needs, random, image);
  return fill(std::move(image), random);
}

Result<SceneImage> makePlane(VkFormat format, uint32_t width, uint32_t height, uint32_t layers, bool isArrayed,
                             Random &random) {
  SceneImage image;
  image.viewType = isArrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  image.format = format;
  image.width = width;
  image.height = height;
  image.layers = layers;
  return fill(std::move(image), random);
}

SceneSampler makeSampler(bool comparesDepth, bool integers, Random &random) {
  constexpr VkSamplerAddressMode Modes[] = {
      VK_SAMPLER_ADDRESS_MODE_REPEAT,        VK_SAMPLER_ADDRESS_MODE_REPEAT,
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
  };
  constexpr VkCompareOp CompareOps[] = {VK_COMPARE_OP_LESS, VK_COMPARE_OP_LESS_OR_EQUAL, VK_COMPARE_OP_GREATER,
                                        VK_COMPARE_OP_GREATER_OR_EQUAL};
  constexpr VkBorderColor FloatBorders[] = {VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK,
                                            VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
  constexpr VkBorderColor IntegerBorders[] = {VK_BORDER_COLOR_INT_TRANSPARENT_BLACK, VK_BORDER_COLOR_INT_OPAQUE_BLACK,
                                              VK_BORDER_COLOR_INT_OPAQUE_WHITE};
  SceneSampler sampler;
  auto filter = [&] { return !integers && random.chance(75) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST; };
  sampler.magFilter = filter();
  sampler.minFilter = filter();
  bool blendsLevels = !integers && random.chance(60);
  sampler.mipmapMode = blendsLevels ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  sampler.addressModeU = random.pick(Modes);
  sampler.addressModeV = random.pick(Modes);
  sampler.addressModeW = random.pick(Modes);
  // Hardware samplers have 8 bits of fraction.
  auto level = [&](float low, float high) { return std::round(random.real(low, high) * 256) / 256; };
  if (random.chance(20))
    sampler.mipLodBias = level(-1, 1);
  if (random.chance(15)) {
    sampler.minLod = level(0, 1.5f);
    sampler.maxLod = sampler.minLod + level(0, 2);
  }
  sampler.borderColor = integers ? random.pick(IntegerBorders) : random.pick(FloatBorders);
  if (comparesDepth) {
    sampler.compareEnable = true;
    sampler.compareOp = random.pick(CompareOps);
  }
  return sampler;
}

VkFormat texelBufferFormat(const spirv::ImageShape &shape, bool isStorage, Random &random) {
  constexpr VkFormat FloatFormats[] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_SFLOAT,
                                       VK_FORMAT_R16G16B16A16_SFLOAT};
  return formatOf(shape, isStorage, FloatFormats, random);
}

Result<std::vector<uint8_t>> makeTexels(VkFormat format, uint32_t count, Random &random) {
  TexelLayout layout = DOVETAIL_TRY(texelLayout(format));
  Content content(random);
  std::vector<uint8_t> bytes(size_t(count) * layout.bytes);
  for (uint32_t i = 0; i < count; ++i)
    encodeTexel(layout, content.at(layout, float(i) / 16, 0, 0, 0), &bytes[size_t(i) * layout.bytes]);
  return bytes;
}

} // namespace dovetail

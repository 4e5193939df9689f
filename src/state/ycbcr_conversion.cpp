// SPDX-License-Identifier: MIT
#include "src/state/ycbcr_conversion.h"
#include "src/state/format_table.h"
#include <algorithm>
#include <optional>

namespace dovetail {

namespace {

// The fields of the dword, from its low end, each with its number of values.
constexpr uint32_t Models = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020 + 1;
constexpr uint32_t Ranges = VK_SAMPLER_YCBCR_RANGE_ITU_NARROW + 1;
constexpr uint32_t Swizzles = VK_COMPONENT_SWIZZLE_A + 1;
constexpr uint32_t Locations = VK_CHROMA_LOCATION_MIDPOINT + 1;
constexpr uint32_t Filters = uint32_t(ChromaFilter::Linear) + 1;
constexpr uint32_t MaxPlanes = 3;
constexpr std::array<uint8_t, 4> BitCounts = {8, 10, 12, 16};

// The part of a conversion that follows from the format.
struct YcbcrFormat {
  uint8_t planes;
  bool halfWidth, halfHeight;
  uint8_t bits;
};

struct MultiPlanarFormat {
  VkFormat format;
  YcbcrFormat content;
};

constexpr bool Half = true, Whole = false;

// Names end as Vulkan's do. Vulkan's table has formats of 4:2:0 and 4:2:2 in one plane as rows of their own.
constexpr MultiPlanarFormat MultiPlanarFormats[] = {
    {VK_FORMAT_G8B8G8R8_422_UNORM, {1, Half, Whole, 8}},
    {VK_FORMAT_B8G8R8G8_422_UNORM, {1, Half, Whole, 8}},
    {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, {3, Half, Half, 8}},
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, {2, Half, Half, 8}},
    {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM, {3, Half, Whole, 8}},
    {VK_FORMAT_G8_B8R8_2PLANE_422_UNORM, {2, Half, Whole, 8}},
    {VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM, {3, Whole, Whole, 8}},
    {VK_FORMAT_G8_B8R8_2PLANE_444_UNORM, {2, Whole, Whole, 8}},
    {VK_FORMAT_G10X6B10X6G10X6R10X6_422_UNORM_4PACK16, {1, Half, Whole, 10}},
    {VK_FORMAT_B10X6G10X6R10X6G10X6_422_UNORM_4PACK16, {1, Half, Whole, 10}},
    {VK_FORMAT_G10X6_B10X6_R10X6_3PLANE_420_UNORM_3PACK16, {3, Half, Half, 10}},
    {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, {2, Half, Half, 10}},
    {VK_FORMAT_G10X6_B10X6_R10X6_3PLANE_422_UNORM_3PACK16, {3, Half, Whole, 10}},
    {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16, {2, Half, Whole, 10}},
    {VK_FORMAT_G10X6_B10X6_R10X6_3PLANE_444_UNORM_3PACK16, {3, Whole, Whole, 10}},
    {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_444_UNORM_3PACK16, {2, Whole, Whole, 10}},
    {VK_FORMAT_R10X6_UNORM_PACK16, {1, Whole, Whole, 10}},
    {VK_FORMAT_R10X6G10X6_UNORM_2PACK16, {1, Whole, Whole, 10}},
    {VK_FORMAT_R10X6G10X6B10X6A10X6_UNORM_4PACK16, {1, Whole, Whole, 10}},
    {VK_FORMAT_G12X4B12X4G12X4R12X4_422_UNORM_4PACK16, {1, Half, Whole, 12}},
    {VK_FORMAT_B12X4G12X4R12X4G12X4_422_UNORM_4PACK16, {1, Half, Whole, 12}},
    {VK_FORMAT_G12X4_B12X4_R12X4_3PLANE_420_UNORM_3PACK16, {3, Half, Half, 12}},
    {VK_FORMAT_G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16, {2, Half, Half, 12}},
    {VK_FORMAT_G12X4_B12X4_R12X4_3PLANE_422_UNORM_3PACK16, {3, Half, Whole, 12}},
    {VK_FORMAT_G12X4_B12X4R12X4_2PLANE_422_UNORM_3PACK16, {2, Half, Whole, 12}},
    {VK_FORMAT_G12X4_B12X4_R12X4_3PLANE_444_UNORM_3PACK16, {3, Whole, Whole, 12}},
    {VK_FORMAT_G12X4_B12X4R12X4_2PLANE_444_UNORM_3PACK16, {2, Whole, Whole, 12}},
    {VK_FORMAT_R12X4_UNORM_PACK16, {1, Whole, Whole, 12}},
    {VK_FORMAT_R12X4G12X4_UNORM_2PACK16, {1, Whole, Whole, 12}},
    {VK_FORMAT_R12X4G12X4B12X4A12X4_UNORM_4PACK16, {1, Whole, Whole, 12}},
    {VK_FORMAT_G16B16G16R16_422_UNORM, {1, Half, Whole, 16}},
    {VK_FORMAT_B16G16R16G16_422_UNORM, {1, Half, Whole, 16}},
    {VK_FORMAT_G16_B16_R16_3PLANE_420_UNORM, {3, Half, Half, 16}},
    {VK_FORMAT_G16_B16R16_2PLANE_420_UNORM, {2, Half, Half, 16}},
    {VK_FORMAT_G16_B16_R16_3PLANE_422_UNORM, {3, Half, Whole, 16}},
    {VK_FORMAT_G16_B16R16_2PLANE_422_UNORM, {2, Half, Whole, 16}},
    {VK_FORMAT_G16_B16_R16_3PLANE_444_UNORM, {3, Whole, Whole, 16}},
    {VK_FORMAT_G16_B16R16_2PLANE_444_UNORM, {2, Whole, Whole, 16}},
};

// Of ordinary formats, takes UNORM ones whose colours all have the same width.
std::optional<YcbcrFormat> findYcbcrFormat(VkFormat format) {
  const auto row = std::ranges::find(MultiPlanarFormats, format, &MultiPlanarFormat::format);
  if (row != std::end(MultiPlanarFormats))
    return row->content;
  const FormatInfo *info = findFormat(format);
  if (!info || info->numeric != FormatNumeric::Unorm ||
      std::ranges::find(BitCounts, info->bits[0]) == BitCounts.end() ||
      std::ranges::any_of(std::array{info->bits[1], info->bits[2]},
                          [&](uint8_t bits) { return bits != 0 && bits != info->bits[0]; }))
    return std::nullopt;
  return YcbcrFormat{1, Whole, Whole, info->bits[0]};
}

bool hasRange(VkSamplerYcbcrModelConversion model) {
  return model != VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
}

// One conversion for all that give the same colours.
YcbcrConversion canonical(YcbcrConversion conversion) {
  for (uint32_t i = 0; i < conversion.components.size(); ++i)
    if (conversion.components[i] == VK_COMPONENT_SWIZZLE_IDENTITY)
      conversion.components[i] = VkComponentSwizzle(VK_COMPONENT_SWIZZLE_R + i);
  if (!hasRange(conversion.model)) {
    conversion.range = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
    conversion.bits = BitCounts[0];
  }
  if (conversion.planes == 1)
    conversion.halfWidth = conversion.halfHeight = false;
  if (!conversion.halfWidth && !conversion.halfHeight)
    conversion.chromaFilter = ChromaFilter::AsSampler;
  // A nearest texel may be chosen as if it lay in the middle.
  const bool isNearest = conversion.chromaFilter == ChromaFilter::Nearest;
  if (!conversion.halfWidth || isNearest)
    conversion.xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
  if (!conversion.halfHeight || isNearest)
    conversion.yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT;
  return conversion;
}

// Puts fields one behind the other.
class Packer {
public:
  Packer &add(uint32_t value, uint32_t values) {
    m_dword += m_scale * value;
    m_scale *= values;
    return *this;
  }
  uint32_t dword() const { return m_dword; }

private:
  uint32_t m_dword = 0, m_scale = 1;
};

class Unpacker {
public:
  explicit Unpacker(uint32_t dword) : m_rest(dword) {}

  template <typename T> T take(uint32_t values) {
    const uint32_t value = m_rest % values;
    m_rest /= values;
    return static_cast<T>(value);
  }

private:
  uint32_t m_rest;
};

} // namespace

uint32_t toDword(const YcbcrConversion &given) {
  const YcbcrConversion conversion = canonical(given);
  Packer packer;
  packer.add(conversion.model, Models).add(conversion.range, Ranges);
  for (VkComponentSwizzle component : conversion.components)
    packer.add(component, Swizzles);
  packer.add(conversion.planes - 1u, MaxPlanes).add(conversion.halfWidth, 2).add(conversion.halfHeight, 2);
  packer.add(conversion.xChromaOffset, Locations).add(conversion.yChromaOffset, Locations);
  packer.add(uint32_t(conversion.chromaFilter), Filters);
  packer.add(uint32_t(std::ranges::find(BitCounts, conversion.bits) - BitCounts.begin()), uint32_t(BitCounts.size()));
  return packer.dword();
}

Result<YcbcrConversion> ycbcrConversionOf(uint32_t dword) {
  YcbcrConversion conversion;
  Unpacker unpacker(dword);
  conversion.model = unpacker.take<VkSamplerYcbcrModelConversion>(Models);
  conversion.range = unpacker.take<VkSamplerYcbcrRange>(Ranges);
  for (VkComponentSwizzle &component : conversion.components)
    component = unpacker.take<VkComponentSwizzle>(Swizzles);
  conversion.planes = uint8_t(unpacker.take<uint8_t>(MaxPlanes) + 1);
  conversion.halfWidth = unpacker.take<bool>(2);
  conversion.halfHeight = unpacker.take<bool>(2);
  conversion.xChromaOffset = unpacker.take<VkChromaLocation>(Locations);
  conversion.yChromaOffset = unpacker.take<VkChromaLocation>(Locations);
  conversion.chromaFilter = unpacker.take<ChromaFilter>(Filters);
  conversion.bits = BitCounts[unpacker.take<uint8_t>(uint32_t(BitCounts.size()))];
  if (toDword(conversion) != dword)
    return makeError(ErrorCode::InvalidInput, "0x{:x} is no YCbCr conversion", dword);
  return conversion;
}

Result<YcbcrConversion> ycbcrConversionOf(const VkSamplerYcbcrConversionCreateInfo &info, VkFilter magFilter,
                                          VkFilter minFilter) {
  const std::optional<YcbcrFormat> format = findYcbcrFormat(info.format);
  if (!format)
    return makeError(ErrorCode::Unsupported, "no YCbCr conversion takes the format {}", formatName(info.format));
  auto check = [](const char *member, uint32_t value, uint32_t values) -> Result<void> {
    if (value >= values)
      return makeError(ErrorCode::Unsupported, "{} {} of a YCbCr conversion", member, value);
    return {};
  };
  DOVETAIL_CHECK(check("ycbcrModel", info.ycbcrModel, Models));
  DOVETAIL_CHECK(check("ycbcrRange", info.ycbcrRange, Ranges));
  const std::array components = {info.components.r, info.components.g, info.components.b, info.components.a};
  for (VkComponentSwizzle component : components)
    DOVETAIL_CHECK(check("component swizzle", component, Swizzles));
  DOVETAIL_CHECK(check("xChromaOffset", info.xChromaOffset, Locations));
  DOVETAIL_CHECK(check("yChromaOffset", info.yChromaOffset, Locations));
  DOVETAIL_CHECK(check("chromaFilter", info.chromaFilter, VK_FILTER_LINEAR + 1));
  if (info.forceExplicitReconstruction)
    return makeError(ErrorCode::Unsupported, "forceExplicitReconstruction of a YCbCr conversion");
  const bool isNearest = info.chromaFilter == VK_FILTER_NEAREST;
  YcbcrConversion conversion = {
      info.ycbcrModel,    info.ycbcrRange,    components,
      format->planes,     format->halfWidth,  format->halfHeight,
      info.xChromaOffset, info.yChromaOffset, isNearest ? ChromaFilter::Nearest : ChromaFilter::Linear,
      format->bits};
  conversion = canonical(conversion);
  if (magFilter == info.chromaFilter && minFilter == info.chromaFilter)
    conversion.chromaFilter = ChromaFilter::AsSampler;
  return conversion;
}

} // namespace dovetail

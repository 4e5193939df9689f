// SPDX-License-Identifier: MIT
//
// One list of enumerators per enumeration; both directions are made from it.
#include "tools/vulkan_names.h"
#include <span>

namespace dovetail {

namespace {

template <typename Enumeration> struct Name {
  std::string_view name;
  Enumeration value;
};

#define NAME(enumerator) {#enumerator, enumerator},

constexpr Name<VkFormat> FormatNames[] = {
    NAME(VK_FORMAT_UNDEFINED) NAME(VK_FORMAT_R4G4_UNORM_PACK8) NAME(VK_FORMAT_R4G4B4A4_UNORM_PACK16) NAME(
        VK_FORMAT_B4G4R4A4_UNORM_PACK16) NAME(VK_FORMAT_R5G6B5_UNORM_PACK16) NAME(VK_FORMAT_B5G6R5_UNORM_PACK16)
        NAME(VK_FORMAT_R5G5B5A1_UNORM_PACK16) NAME(VK_FORMAT_B5G5R5A1_UNORM_PACK16) NAME(
            VK_FORMAT_A1R5G5B5_UNORM_PACK16) NAME(VK_FORMAT_R8_UNORM) NAME(VK_FORMAT_R8_SNORM)
            NAME(VK_FORMAT_R8_USCALED) NAME(VK_FORMAT_R8_SSCALED) NAME(VK_FORMAT_R8_UINT) NAME(VK_FORMAT_R8_SINT) NAME(
                VK_FORMAT_R8_SRGB) NAME(VK_FORMAT_R8G8_UNORM) NAME(VK_FORMAT_R8G8_SNORM) NAME(VK_FORMAT_R8G8_USCALED)
                NAME(VK_FORMAT_R8G8_SSCALED) NAME(VK_FORMAT_R8G8_UINT) NAME(VK_FORMAT_R8G8_SINT)
                    NAME(VK_FORMAT_R8G8_SRGB) NAME(VK_FORMAT_R8G8B8_UNORM) NAME(VK_FORMAT_R8G8B8_SNORM) NAME(
                        VK_FORMAT_R8G8B8_USCALED) NAME(VK_FORMAT_R8G8B8_SSCALED) NAME(VK_FORMAT_R8G8B8_UINT)
                        NAME(VK_FORMAT_R8G8B8_SINT) NAME(VK_FORMAT_R8G8B8_SRGB) NAME(VK_FORMAT_B8G8R8_UNORM) NAME(
                            VK_FORMAT_B8G8R8_SNORM) NAME(VK_FORMAT_B8G8R8_USCALED) NAME(VK_FORMAT_B8G8R8_SSCALED)
                            NAME(VK_FORMAT_B8G8R8_UINT) NAME(VK_FORMAT_B8G8R8_SINT) NAME(VK_FORMAT_B8G8R8_SRGB) NAME(
                                VK_FORMAT_R8G8B8A8_UNORM) NAME(VK_FORMAT_R8G8B8A8_SNORM)
                                NAME(VK_FORMAT_R8G8B8A8_USCALED) NAME(VK_FORMAT_R8G8B8A8_SSCALED) NAME(
                                    VK_FORMAT_R8G8B8A8_UINT) NAME(VK_FORMAT_R8G8B8A8_SINT) NAME(VK_FORMAT_R8G8B8A8_SRGB)
                                    NAME(VK_FORMAT_B8G8R8A8_UNORM) NAME(VK_FORMAT_B8G8R8A8_SNORM) NAME(
                                        VK_FORMAT_B8G8R8A8_USCALED) NAME(VK_FORMAT_B8G8R8A8_SSCALED)
                                        NAME(VK_FORMAT_B8G8R8A8_UINT) NAME(VK_FORMAT_B8G8R8A8_SINT) NAME(
                                            VK_FORMAT_B8G8R8A8_SRGB) NAME(VK_FORMAT_A8B8G8R8_UNORM_PACK32)
                                            NAME(VK_FORMAT_A8B8G8R8_SNORM_PACK32) NAME(VK_FORMAT_A8B8G8R8_USCALED_PACK32) NAME(
                                                VK_FORMAT_A8B8G8R8_SSCALED_PACK32) NAME(VK_FORMAT_A8B8G8R8_UINT_PACK32)
                                                NAME(
                                                    VK_FORMAT_A8B8G8R8_SINT_PACK32) NAME(VK_FORMAT_A8B8G8R8_SRGB_PACK32)
                                                    NAME(VK_FORMAT_A2R10G10B10_UNORM_PACK32) NAME(
                                                        VK_FORMAT_A2R10G10B10_SNORM_PACK32) NAME(VK_FORMAT_A2R10G10B10_USCALED_PACK32)
                                                        NAME(VK_FORMAT_A2R10G10B10_SSCALED_PACK32) NAME(
                                                            VK_FORMAT_A2R10G10B10_UINT_PACK32) NAME(VK_FORMAT_A2R10G10B10_SINT_PACK32)
                                                            NAME(VK_FORMAT_A2B10G10R10_UNORM_PACK32) NAME(
                                                                VK_FORMAT_A2B10G10R10_SNORM_PACK32) NAME(VK_FORMAT_A2B10G10R10_USCALED_PACK32)
                                                                NAME(VK_FORMAT_A2B10G10R10_SSCALED_PACK32) NAME(VK_FORMAT_A2B10G10R10_UINT_PACK32) NAME(
                                                                    VK_FORMAT_A2B10G10R10_SINT_PACK32) NAME(VK_FORMAT_R16_UNORM)
                                                                    NAME(VK_FORMAT_R16_SNORM) NAME(VK_FORMAT_R16_USCALED) NAME(VK_FORMAT_R16_SSCALED) NAME(
                                                                        VK_FORMAT_R16_UINT) NAME(VK_FORMAT_R16_SINT)
                                                                        NAME(VK_FORMAT_R16_SFLOAT) NAME(VK_FORMAT_R16G16_UNORM) NAME(
                                                                            VK_FORMAT_R16G16_SNORM) NAME(VK_FORMAT_R16G16_USCALED)
                                                                            NAME(VK_FORMAT_R16G16_SSCALED) NAME(
                                                                                VK_FORMAT_R16G16_UINT) NAME(VK_FORMAT_R16G16_SINT)
                                                                                NAME(
                                                                                    VK_FORMAT_R16G16_SFLOAT) NAME(VK_FORMAT_R16G16B16_UNORM) NAME(VK_FORMAT_R16G16B16_SNORM) NAME(VK_FORMAT_R16G16B16_USCALED) NAME(VK_FORMAT_R16G16B16_SSCALED) NAME(VK_FORMAT_R16G16B16_UINT) NAME(VK_FORMAT_R16G16B16_SINT) NAME(VK_FORMAT_R16G16B16_SFLOAT) NAME(VK_FORMAT_R16G16B16A16_UNORM) NAME(VK_FORMAT_R16G16B16A16_SNORM) NAME(VK_FORMAT_R16G16B16A16_USCALED) NAME(VK_FORMAT_R16G16B16A16_SSCALED) NAME(VK_FORMAT_R16G16B16A16_UINT) NAME(VK_FORMAT_R16G16B16A16_SINT) NAME(VK_FORMAT_R16G16B16A16_SFLOAT) NAME(VK_FORMAT_R32_UINT) NAME(VK_FORMAT_R32_SINT) NAME(VK_FORMAT_R32_SFLOAT) NAME(VK_FORMAT_R32G32_UINT) NAME(VK_FORMAT_R32G32_SINT) NAME(VK_FORMAT_R32G32_SFLOAT)
                                                                                    NAME(VK_FORMAT_R32G32B32_UINT) NAME(
                                                                                        VK_FORMAT_R32G32B32_SINT) NAME(VK_FORMAT_R32G32B32_SFLOAT) NAME(VK_FORMAT_R32G32B32A32_UINT)
                                                                                        NAME(VK_FORMAT_R32G32B32A32_SINT) NAME(
                                                                                            VK_FORMAT_R32G32B32A32_SFLOAT)
                                                                                            NAME(
                                                                                                VK_FORMAT_R64_UINT) NAME(VK_FORMAT_R64_SINT)
                                                                                                NAME(VK_FORMAT_R64_SFLOAT) NAME(
                                                                                                    VK_FORMAT_R64G64_UINT) NAME(VK_FORMAT_R64G64_SINT)
                                                                                                    NAME(VK_FORMAT_R64G64_SFLOAT) NAME(
                                                                                                        VK_FORMAT_R64G64B64_UINT) NAME(VK_FORMAT_R64G64B64_SINT) NAME(VK_FORMAT_R64G64B64_SFLOAT) NAME(VK_FORMAT_R64G64B64A64_UINT) NAME(VK_FORMAT_R64G64B64A64_SINT) NAME(VK_FORMAT_R64G64B64A64_SFLOAT) NAME(VK_FORMAT_B10G11R11_UFLOAT_PACK32) NAME(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32) NAME(VK_FORMAT_D16_UNORM) NAME(VK_FORMAT_X8_D24_UNORM_PACK32) NAME(VK_FORMAT_D32_SFLOAT) NAME(VK_FORMAT_S8_UINT) NAME(VK_FORMAT_D16_UNORM_S8_UINT) NAME(VK_FORMAT_D24_UNORM_S8_UINT) NAME(VK_FORMAT_D32_SFLOAT_S8_UINT) NAME(VK_FORMAT_BC1_RGB_UNORM_BLOCK) NAME(VK_FORMAT_BC1_RGB_SRGB_BLOCK)
                                                                                                        NAME(VK_FORMAT_BC1_RGBA_UNORM_BLOCK) NAME(VK_FORMAT_BC1_RGBA_SRGB_BLOCK) NAME(VK_FORMAT_BC2_UNORM_BLOCK) NAME(VK_FORMAT_BC2_SRGB_BLOCK) NAME(VK_FORMAT_BC3_UNORM_BLOCK) NAME(VK_FORMAT_BC3_SRGB_BLOCK) NAME(VK_FORMAT_BC4_UNORM_BLOCK) NAME(VK_FORMAT_BC4_SNORM_BLOCK) NAME(
                                                                                                            VK_FORMAT_BC5_UNORM_BLOCK) NAME(VK_FORMAT_BC5_SNORM_BLOCK)
                                                                                                            NAME(VK_FORMAT_BC6H_UFLOAT_BLOCK) NAME(VK_FORMAT_BC6H_SFLOAT_BLOCK) NAME(
                                                                                                                VK_FORMAT_BC7_UNORM_BLOCK) NAME(VK_FORMAT_BC7_SRGB_BLOCK) NAME(VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK)
                                                                                                                NAME(VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK) NAME(VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK) NAME(VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK) NAME(VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK) NAME(VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK) NAME(
                                                                                                                    VK_FORMAT_EAC_R11_UNORM_BLOCK) NAME(VK_FORMAT_EAC_R11_SNORM_BLOCK)
                                                                                                                    NAME(VK_FORMAT_EAC_R11G11_UNORM_BLOCK) NAME(
                                                                                                                        VK_FORMAT_EAC_R11G11_SNORM_BLOCK)
                                                                                                                        NAME(VK_FORMAT_ASTC_4x4_UNORM_BLOCK) NAME(
                                                                                                                            VK_FORMAT_ASTC_4x4_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_5x4_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_5x4_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_5x5_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_5x5_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_6x5_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_6x5_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_6x6_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_6x6_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_8x5_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_8x5_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_8x6_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_8x6_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_8x8_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_8x8_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_10x5_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_10x5_SRGB_BLOCK)
                                                                                                                            NAME(VK_FORMAT_ASTC_10x6_UNORM_BLOCK) NAME(VK_FORMAT_ASTC_10x6_SRGB_BLOCK) NAME(VK_FORMAT_ASTC_10x8_UNORM_BLOCK) NAME(
                                                                                                                                VK_FORMAT_ASTC_10x8_SRGB_BLOCK)
                                                                                                                                NAME(VK_FORMAT_ASTC_10x10_UNORM_BLOCK) NAME(
                                                                                                                                    VK_FORMAT_ASTC_10x10_SRGB_BLOCK)
                                                                                                                                    NAME(VK_FORMAT_ASTC_12x10_UNORM_BLOCK) NAME(
                                                                                                                                        VK_FORMAT_ASTC_12x10_SRGB_BLOCK)
                                                                                                                                        NAME(
                                                                                                                                            VK_FORMAT_ASTC_12x12_UNORM_BLOCK)
                                                                                                                                            NAME(
                                                                                                                                                VK_FORMAT_ASTC_12x12_SRGB_BLOCK)
                                                                                                                                                NAME(
                                                                                                                                                    VK_FORMAT_A4R4G4B4_UNORM_PACK16)
                                                                                                                                                    NAME(
                                                                                                                                                        VK_FORMAT_A4B4G4R4_UNORM_PACK16)};

constexpr Name<VkVertexInputRate> VertexInputRateNames[] = {NAME(VK_VERTEX_INPUT_RATE_VERTEX)
                                                                NAME(VK_VERTEX_INPUT_RATE_INSTANCE)};

constexpr Name<VkPrimitiveTopology> PrimitiveTopologyNames[] = {
    NAME(VK_PRIMITIVE_TOPOLOGY_POINT_LIST) NAME(VK_PRIMITIVE_TOPOLOGY_LINE_LIST) NAME(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP)
        NAME(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST) NAME(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)
            NAME(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) NAME(VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY)
                NAME(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY)
                    NAME(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY)
                        NAME(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY)
                            NAME(VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)};

constexpr Name<VkBlendFactor> BlendFactorNames[] = {
    NAME(VK_BLEND_FACTOR_ZERO) NAME(VK_BLEND_FACTOR_ONE) NAME(VK_BLEND_FACTOR_SRC_COLOR)
        NAME(VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR) NAME(VK_BLEND_FACTOR_DST_COLOR)
            NAME(VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR) NAME(VK_BLEND_FACTOR_SRC_ALPHA)
                NAME(VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA) NAME(VK_BLEND_FACTOR_DST_ALPHA)
                    NAME(VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA) NAME(VK_BLEND_FACTOR_CONSTANT_COLOR)
                        NAME(VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR) NAME(VK_BLEND_FACTOR_CONSTANT_ALPHA)
                            NAME(VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA) NAME(VK_BLEND_FACTOR_SRC_ALPHA_SATURATE)
                                NAME(VK_BLEND_FACTOR_SRC1_COLOR) NAME(VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR)
                                    NAME(VK_BLEND_FACTOR_SRC1_ALPHA) NAME(VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA)};

constexpr Name<VkBlendOp> BlendOpNames[] = {NAME(VK_BLEND_OP_ADD) NAME(VK_BLEND_OP_SUBTRACT) NAME(
    VK_BLEND_OP_REVERSE_SUBTRACT) NAME(VK_BLEND_OP_MIN) NAME(VK_BLEND_OP_MAX)};

constexpr Name<VkCompareOp> CompareOpNames[] = {NAME(VK_COMPARE_OP_NEVER) NAME(VK_COMPARE_OP_LESS) NAME(
    VK_COMPARE_OP_EQUAL) NAME(VK_COMPARE_OP_LESS_OR_EQUAL) NAME(VK_COMPARE_OP_GREATER) NAME(VK_COMPARE_OP_NOT_EQUAL)
                                                    NAME(VK_COMPARE_OP_GREATER_OR_EQUAL) NAME(VK_COMPARE_OP_ALWAYS)};

constexpr Name<VkColorComponentFlagBits> ColorComponentFlagBitsNames[] = {NAME(VK_COLOR_COMPONENT_R_BIT) NAME(
    VK_COLOR_COMPONENT_G_BIT) NAME(VK_COLOR_COMPONENT_B_BIT) NAME(VK_COLOR_COMPONENT_A_BIT)};

#undef NAME

template <typename Enumeration>
std::optional<Enumeration> find(std::span<const Name<Enumeration>> names, std::string_view name) {
  for (const Name<Enumeration> &entry : names)
    if (entry.name == name)
      return entry.value;
  return std::nullopt;
}

template <typename Enumeration> std::string_view find(std::span<const Name<Enumeration>> names, Enumeration value) {
  for (const Name<Enumeration> &entry : names)
    if (entry.value == value)
      return entry.name;
  return "?";
}

} // namespace

template <> std::optional<VkFormat> parseVulkanName(std::string_view name) {
  return find<VkFormat>(FormatNames, name);
}
std::string_view vulkanName(VkFormat value) {
  return find<VkFormat>(FormatNames, value);
}

template <> std::optional<VkVertexInputRate> parseVulkanName(std::string_view name) {
  return find<VkVertexInputRate>(VertexInputRateNames, name);
}
std::string_view vulkanName(VkVertexInputRate value) {
  return find<VkVertexInputRate>(VertexInputRateNames, value);
}

template <> std::optional<VkPrimitiveTopology> parseVulkanName(std::string_view name) {
  return find<VkPrimitiveTopology>(PrimitiveTopologyNames, name);
}
std::string_view vulkanName(VkPrimitiveTopology value) {
  return find<VkPrimitiveTopology>(PrimitiveTopologyNames, value);
}

template <> std::optional<VkBlendFactor> parseVulkanName(std::string_view name) {
  return find<VkBlendFactor>(BlendFactorNames, name);
}
std::string_view vulkanName(VkBlendFactor value) {
  return find<VkBlendFactor>(BlendFactorNames, value);
}

template <> std::optional<VkBlendOp> parseVulkanName(std::string_view name) {
  return find<VkBlendOp>(BlendOpNames, name);
}
std::string_view vulkanName(VkBlendOp value) {
  return find<VkBlendOp>(BlendOpNames, value);
}

template <> std::optional<VkCompareOp> parseVulkanName(std::string_view name) {
  return find<VkCompareOp>(CompareOpNames, name);
}
std::string_view vulkanName(VkCompareOp value) {
  return find<VkCompareOp>(CompareOpNames, value);
}

template <> std::optional<VkColorComponentFlagBits> parseVulkanName(std::string_view name) {
  return find<VkColorComponentFlagBits>(ColorComponentFlagBitsNames, name);
}
std::string_view vulkanName(VkColorComponentFlagBits value) {
  return find<VkColorComponentFlagBits>(ColorComponentFlagBitsNames, value);
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Lists the enumerators once per enumeration; both directions are made from the list.
#include "tools/common/inputs/vulkan_names.h"
#include <span>

namespace dovetail {

namespace {

template <typename Enumeration> struct Name {
  std::string_view name;
  Enumeration value;
};

#define NAME(enumerator) {#enumerator, enumerator},

constexpr Name<VkFormat> FormatNames[] = {
#define FORMAT(name) {"VK_FORMAT_" #name, VK_FORMAT_##name},
#include "src/state/format_names.def"
#undef FORMAT
};

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

constexpr Name<VkCullModeFlagBits> CullModeFlagBitsNames[] = {
    NAME(VK_CULL_MODE_NONE) NAME(VK_CULL_MODE_FRONT_BIT) NAME(VK_CULL_MODE_BACK_BIT) NAME(VK_CULL_MODE_FRONT_AND_BACK)};

constexpr Name<VkFrontFace> FrontFaceNames[] = {NAME(VK_FRONT_FACE_COUNTER_CLOCKWISE) NAME(VK_FRONT_FACE_CLOCKWISE)};

constexpr Name<VkFilter> FilterNames[] = {NAME(VK_FILTER_NEAREST) NAME(VK_FILTER_LINEAR)};

constexpr Name<VkSamplerMipmapMode> SamplerMipmapModeNames[] = {NAME(VK_SAMPLER_MIPMAP_MODE_NEAREST)
                                                                    NAME(VK_SAMPLER_MIPMAP_MODE_LINEAR)};

constexpr Name<VkSamplerAddressMode> SamplerAddressModeNames[] = {
    NAME(VK_SAMPLER_ADDRESS_MODE_REPEAT) NAME(VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT)
        NAME(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) NAME(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
            NAME(VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE)};

constexpr Name<VkBorderColor> BorderColorNames[] = {
    NAME(VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK) NAME(VK_BORDER_COLOR_INT_TRANSPARENT_BLACK)
        NAME(VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK) NAME(VK_BORDER_COLOR_INT_OPAQUE_BLACK)
            NAME(VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE) NAME(VK_BORDER_COLOR_INT_OPAQUE_WHITE)};

constexpr Name<VkImageViewType> ImageViewTypeNames[] = {
    NAME(VK_IMAGE_VIEW_TYPE_1D) NAME(VK_IMAGE_VIEW_TYPE_2D) NAME(VK_IMAGE_VIEW_TYPE_3D) NAME(VK_IMAGE_VIEW_TYPE_CUBE)
        NAME(VK_IMAGE_VIEW_TYPE_1D_ARRAY) NAME(VK_IMAGE_VIEW_TYPE_2D_ARRAY) NAME(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY)};

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

template <> std::optional<VkCullModeFlagBits> parseVulkanName(std::string_view name) {
  return find<VkCullModeFlagBits>(CullModeFlagBitsNames, name);
}

template <> std::optional<VkFrontFace> parseVulkanName(std::string_view name) {
  return find<VkFrontFace>(FrontFaceNames, name);
}

template <> std::optional<VkFilter> parseVulkanName(std::string_view name) {
  return find<VkFilter>(FilterNames, name);
}

template <> std::optional<VkSamplerMipmapMode> parseVulkanName(std::string_view name) {
  return find<VkSamplerMipmapMode>(SamplerMipmapModeNames, name);
}

template <> std::optional<VkSamplerAddressMode> parseVulkanName(std::string_view name) {
  return find<VkSamplerAddressMode>(SamplerAddressModeNames, name);
}

template <> std::optional<VkBorderColor> parseVulkanName(std::string_view name) {
  return find<VkBorderColor>(BorderColorNames, name);
}

template <> std::optional<VkImageViewType> parseVulkanName(std::string_view name) {
  return find<VkImageViewType>(ImageViewTypeNames, name);
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The names of Vulkan's enumerators, for state files and messages.
#pragma once

#include <optional>
#include <string_view>
#include <vulkan/vulkan_core.h>

namespace dovetail {

// The enumerator of that name ("VK_FORMAT_R8_UNORM"), or nothing.
template <typename Enumeration> std::optional<Enumeration> parseVulkanName(std::string_view name);
template <> std::optional<VkFormat> parseVulkanName(std::string_view name);
template <> std::optional<VkVertexInputRate> parseVulkanName(std::string_view name);
template <> std::optional<VkPrimitiveTopology> parseVulkanName(std::string_view name);
template <> std::optional<VkBlendFactor> parseVulkanName(std::string_view name);
template <> std::optional<VkBlendOp> parseVulkanName(std::string_view name);
template <> std::optional<VkCompareOp> parseVulkanName(std::string_view name);
template <> std::optional<VkColorComponentFlagBits> parseVulkanName(std::string_view name);
template <> std::optional<VkCullModeFlagBits> parseVulkanName(std::string_view name);
template <> std::optional<VkFrontFace> parseVulkanName(std::string_view name);
template <> std::optional<VkFilter> parseVulkanName(std::string_view name);
template <> std::optional<VkSamplerMipmapMode> parseVulkanName(std::string_view name);
template <> std::optional<VkSamplerAddressMode> parseVulkanName(std::string_view name);
template <> std::optional<VkBorderColor> parseVulkanName(std::string_view name);
template <> std::optional<VkImageViewType> parseVulkanName(std::string_view name);

// The name of an enumerator; "?" for an unknown one.
std::string_view vulkanName(VkFormat value);
std::string_view vulkanName(VkVertexInputRate value);
std::string_view vulkanName(VkPrimitiveTopology value);
std::string_view vulkanName(VkBlendFactor value);
std::string_view vulkanName(VkBlendOp value);
std::string_view vulkanName(VkCompareOp value);
std::string_view vulkanName(VkColorComponentFlagBits value);

} // namespace dovetail

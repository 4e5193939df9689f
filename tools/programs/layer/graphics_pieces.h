// SPDX-License-Identifier: MIT
//
// Turns the create-info of vkCreateGraphicsPipelines() into the arguments of Dovetail's calls. A pipeline takes the
// sections that it does not describe itself from its libraries.
#pragma once

#include "tools/programs/layer/device.h"
#include <optional>

namespace dovetail::layer {

// The first struct of this type in a pNext chain, or nullptr.
template <typename Struct> const Struct *findNext(const void *next, VkStructureType type) {
  for (const auto *at = static_cast<const VkBaseInStructure *>(next); at; at = at->pNext)
    if (at->sType == type)
      return reinterpret_cast<const Struct *>(at);
  return nullptr;
}

// Finds the application's module, even if it comes with the stage itself. Nothing: the module is unknown, for example
// because the application names it by an identifier.
std::optional<StageSource> readStage(Device &device, const VkPipelineShaderStageCreateInfo &info);

// Reads all sections of a complete pipeline. Nothing: one of its shaders is unknown.
std::optional<GraphicsPieces> readGraphicsPieces(Device &device, const VkGraphicsPipelineCreateInfo &info);

constexpr VkGraphicsPipelineLibraryFlagsEXT AllSections =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

} // namespace dovetail::layer

// SPDX-License-Identifier: MIT
//
// vkCreateGraphicsPipelines()'s description of a pipeline as what Dovetail is asked with. Libraries bring sections of
// it; what a pipeline does not describe itself comes from its libraries.
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

// The application's module, also if it comes with the stage itself. Nothing: it is not known, as those are that the
// application names by an identifier.
std::optional<StageSource> readStage(Device &device, const VkPipelineShaderStageCreateInfo &info);

// A complete pipeline has all sections. Nothing: a shader of it is not known.
std::optional<GraphicsPieces> readGraphicsPieces(Device &device, const VkGraphicsPipelineCreateInfo &info);

constexpr VkGraphicsPipelineLibraryFlagsEXT AllSections =
    VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

} // namespace dovetail::layer

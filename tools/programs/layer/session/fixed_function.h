// SPDX-License-Identifier: MIT
//
// FixedFunction: the state of a draw on which no code depends, which the layer needs only to execute draws. Pipelines
// have it, libraries have sections of it, and command buffers set parts of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail::layer {

struct FixedFunction {
  std::vector<VkViewport> viewports;
  std::vector<VkRect2D> scissors;
  bool primitiveRestart = false;

  VkCullModeFlags cullMode = VK_CULL_MODE_NONE;
  VkFrontFace frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  VkPolygonMode polygonMode = VK_POLYGON_MODE_FILL;
  bool depthBiasEnable = false;
  std::array<float, 3> depthBias = {}; // constant, clamp, slope
  float lineWidth = 1;
  VkLineRasterizationModeEXT lineMode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
  bool lineStippleEnable = false;
  int depthClip = -1; // VK_EXT_depth_clip_enable; -1: the opposite of the depth clamp
  bool negativeOneToOne = false;
  bool conservative = false;

  bool depthTestEnable = false, depthWriteEnable = false, depthBoundsTestEnable = false, stencilTestEnable = false;
  VkCompareOp depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkStencilOpState front = {}, back = {};

  uint32_t sampleMask = 0xffffffff;
  std::array<float, 4> blendConstants = {};
  bool logicOpEnable = false;
  VkLogicOp logicOp = VK_LOGIC_OP_COPY;
};

// A bit for each dynamic state of FixedFunction.
using FixedStates = uint64_t;

// The state of a pipeline or a library, and which parts of it are dynamic.
struct PipelineFixedFunction {
  FixedFunction values;
  FixedStates dynamic = 0;
  bool hasDynamicStrides = false; // of vertex buffers
  std::string unsupported;        // a dynamic state that the layer does not know, or ""
};

// Reads the sections that a create-info describes itself. `isDiscarded`: rasterisation is always discarded, so Vulkan
// ignores the state behind it.
void readFixedFunction(const VkGraphicsPipelineCreateInfo &info, VkGraphicsPipelineLibraryFlagsEXT sections,
                       bool isDiscarded, PipelineFixedFunction &fixed);
// Takes over the sections of a library.
void mergeFixedFunction(const PipelineFixedFunction &library, VkGraphicsPipelineLibraryFlagsEXT sections,
                        PipelineFixedFunction &fixed);
// The pipeline's state with the command buffer's over it.
FixedFunction resolveFixedFunction(const PipelineFixedFunction &pipeline, const FixedFunction &dynamic);

} // namespace dovetail::layer

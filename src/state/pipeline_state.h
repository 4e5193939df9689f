// SPDX-License-Identifier: MIT
//
// The state that a draw or dispatch binds around its shaders, as plain data with Vulkan's names and enumerations.
//
// The list of fields below each struct serves all that goes through a state field by field: hashes, state files, scene
// files, C's struct. What values a field may have follows from its type; state_values.h knows the exceptions. A new
// field also needs a row in variants/state/state_table.cpp, a member of dovetail_pipeline_state, and a reader.
#pragma once

#include "src/base/fields.h"
#include <array>
#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail {

constexpr unsigned MaxColorTargets = 8;
constexpr unsigned MaxVertexAttributes = 32;

struct VertexBinding {
  uint32_t binding = 0;
  uint32_t stride = 0; // bytes; the driver puts it into the buffer descriptor
  VkVertexInputRate inputRate = VK_VERTEX_INPUT_RATE_VERTEX;
  uint32_t divisor = 1; // instances per step; 0: every instance reads element 0 (+ start instance)

  bool operator==(const VertexBinding &) const = default;
};
DOVETAIL_FIELDS(VertexBinding, binding, stride, inputRate, divisor)

struct VertexAttribute {
  uint32_t location = 0;
  uint32_t binding = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t offset = 0; // bytes

  bool operator==(const VertexAttribute &) const = default;
};
DOVETAIL_FIELDS(VertexAttribute, location, binding, format, offset)

struct ColorTarget {
  VkFormat format = VK_FORMAT_UNDEFINED; // VK_FORMAT_UNDEFINED: no target at this location
  VkColorComponentFlags writeMask = 0xf;
  bool blendEnable = false;
  VkBlendFactor srcColorBlendFactor = VK_BLEND_FACTOR_ONE;
  VkBlendFactor dstColorBlendFactor = VK_BLEND_FACTOR_ZERO;
  VkBlendOp colorBlendOp = VK_BLEND_OP_ADD;
  VkBlendFactor srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  VkBlendFactor dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
  VkBlendOp alphaBlendOp = VK_BLEND_OP_ADD;

  bool operator==(const ColorTarget &) const = default;
};
DOVETAIL_FIELDS(ColorTarget, format, writeMask, blendEnable, srcColorBlendFactor, dstColorBlendFactor, colorBlendOp,
                srcAlphaBlendFactor, dstAlphaBlendFactor, alphaBlendOp)

struct PipelineState {
  // Vertex input.
  std::vector<VertexBinding> vertexBindings;
  std::vector<VertexAttribute> vertexAttributes;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patchControlPoints = 3;
  bool tessellationDomainLowerLeft = false; // VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT: turns the vertex order round

  // Rasterisation.
  bool flatProvokingVertexLast = false;
  bool depthClampEnable = false;
  bool rasterizerDiscardEnable = false;
  uint32_t rasterizationSamples = 1;
  bool sampleShadingEnable = false; // the fragment shader runs for each sample
  // States of GL and of layered drivers.
  bool polygonStippleEnable = false;    // pattern: entry 32 of the driver's global table, for 32 x 32 pixels
  bool colorTwoSide = false;            // GL's colours: a back face shows those of the back
  bool flatShadeColors = false;         // GL_FLAT for GL's colours
  bool perSampleInterpolation = false;  // every input is interpolated at the sample, as in GL with sample shading
  bool multisampleDisable = false;      // GL_MULTISAMPLE is off: every input is interpolated at the centre
  bool barycentricOptimization = false; // the hardware may leave out centroids of quads that are covered completely
  bool layeredFramebuffer = false;      // input attachments have the framebuffer's layers
  bool smoothing = false;               // polygons and lines: alpha is multiplied by the covered part of the pixel
  bool pointSmoothing = false;          // GL_POINT_SMOOTH: points are round, and alpha is multiplied by their coverage
  uint32_t spriteCoordEnable = 0;    // GL_COORD_REPLACE: bit i: on points, input i is the point coordinate (s, t, 0, 1)
  bool spriteCoordLowerLeft = false; // GL_POINT_SPRITE_COORD_ORIGIN: t of point coordinates begins at the lower edge
  bool clampVertexColor = false;     // GL_CLAMP_VERTEX_COLOR: GL's colours are clamped in front of the rasteriser
  uint8_t clipDistanceEnable = 0xff; // GL_CLIP_DISTANCEi: mask of the shader's clip distances that clip
  bool transformFeedbackEnable = true; // false: nothing is captured, whatever the shader declares

  // Compute: a wave has a square of 8 by 8 invocations, and four neighbouring lanes have one of 2 by 2. This applies
  // where both sides of the workgroup are multiples of 8 and the shader cannot observe it. Otherwise lanes go along x.
  bool squareComputeWaves = false;

  // Colour output.
  std::array<ColorTarget, MaxColorTargets> colorTargets;
  bool alphaToCoverageEnable = false;
  bool alphaToOneEnable = false;
  // States of GL and of layered drivers.
  bool broadcastColor0 = false;                     // gl_FragColor: colour 0 goes to every target
  bool clampColor = false;                          // GL_CLAMP_FRAGMENT_COLOR
  VkCompareOp alphaTestFunc = VK_COMPARE_OP_ALWAYS; // compares with the AlphaReference user data
  // Fragment outputs for which the framebuffer has no place are not exported.
  VkFormat depthStencilFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;

  bool operator==(const PipelineState &) const = default;
};
DOVETAIL_FIELDS(PipelineState, vertexBindings, vertexAttributes, topology, patchControlPoints,
                tessellationDomainLowerLeft, flatProvokingVertexLast, depthClampEnable, rasterizerDiscardEnable,
                rasterizationSamples, sampleShadingEnable, polygonStippleEnable, colorTwoSide, flatShadeColors,
                perSampleInterpolation, multisampleDisable, barycentricOptimization, layeredFramebuffer, smoothing,
                pointSmoothing, spriteCoordEnable, spriteCoordLowerLeft, clampVertexColor, clipDistanceEnable,
                transformFeedbackEnable, squareComputeWaves, colorTargets, alphaToCoverageEnable, alphaToOneEnable,
                broadcastColor0, clampColor, alphaTestFunc, depthStencilFormat)

} // namespace dovetail

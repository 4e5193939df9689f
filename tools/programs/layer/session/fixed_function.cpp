// SPDX-License-Identifier: MIT
//
// One table has a row for each dynamic state: the section of a pipeline that it belongs to, and how it is copied.
// Merging libraries and applying dynamic state both go through the table.
#include "tools/programs/layer/session/fixed_function.h"
#include <algorithm>

namespace dovetail::layer {

namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT InputSection = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT RasterSection =
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT DepthSection = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT ColorSection =
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// A static count of viewports or scissors holds for dynamic values, too.
template <typename List> void copyFirst(List &to, const List &from) {
  const size_t count = to.size();
  to = from;
  to.resize(count);
}

struct Row {
  VkDynamicState state;
  VkGraphicsPipelineLibraryFlagsEXT section;
  void (*copy)(FixedFunction &to, const FixedFunction &from);
};

#define COPY(member) [](FixedFunction &to, const FixedFunction &from) { to.member = from.member; }
#define COPY_BOTH(member)                                                                                              \
  [](FixedFunction &to, const FixedFunction &from) {                                                                   \
    to.front.member = from.front.member;                                                                               \
    to.back.member = from.back.member;                                                                                 \
  }
constexpr Row Rows[] = {
    {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, InputSection, COPY(primitiveRestart)},
    {VK_DYNAMIC_STATE_VIEWPORT, RasterSection,
     [](FixedFunction &to, const FixedFunction &from) { copyFirst(to.viewports, from.viewports); }},
    {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, RasterSection, COPY(viewports)},
    {VK_DYNAMIC_STATE_SCISSOR, RasterSection,
     [](FixedFunction &to, const FixedFunction &from) { copyFirst(to.scissors, from.scissors); }},
    {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, RasterSection, COPY(scissors)},
    {VK_DYNAMIC_STATE_CULL_MODE, RasterSection, COPY(cullMode)},
    {VK_DYNAMIC_STATE_FRONT_FACE, RasterSection, COPY(frontFace)},
    {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, RasterSection, COPY(polygonMode)},
    {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, RasterSection, COPY(depthBiasEnable)},
    {VK_DYNAMIC_STATE_DEPTH_BIAS, RasterSection, COPY(depthBias)},
    {VK_DYNAMIC_STATE_LINE_WIDTH, RasterSection, COPY(lineWidth)},
    {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, RasterSection, COPY(lineMode)},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, RasterSection, COPY(lineStippleEnable)},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, RasterSection, COPY(depthClip)},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, RasterSection, COPY(negativeOneToOne)},
    {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT, RasterSection, COPY(conservative)},
    {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, DepthSection, COPY(depthTestEnable)},
    {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, DepthSection, COPY(depthWriteEnable)},
    {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, DepthSection, COPY(depthCompareOp)},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, DepthSection, COPY(depthBoundsTestEnable)},
    {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, DepthSection, COPY(stencilTestEnable)},
    {VK_DYNAMIC_STATE_STENCIL_OP, DepthSection,
     [](FixedFunction &to, const FixedFunction &from) {
       const auto copy = [](VkStencilOpState &face, const VkStencilOpState &given) {
         face.failOp = given.failOp;
         face.passOp = given.passOp;
         face.depthFailOp = given.depthFailOp;
         face.compareOp = given.compareOp;
       };
       copy(to.front, from.front);
       copy(to.back, from.back);
     }},
    {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, DepthSection, COPY_BOTH(compareMask)},
    {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, DepthSection, COPY_BOTH(writeMask)},
    {VK_DYNAMIC_STATE_STENCIL_REFERENCE, DepthSection, COPY_BOTH(reference)},
    {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, ColorSection, COPY(sampleMask)},
    {VK_DYNAMIC_STATE_BLEND_CONSTANTS, ColorSection, COPY(blendConstants)},
    {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, ColorSection, COPY(logicOpEnable)},
    {VK_DYNAMIC_STATE_LOGIC_OP_EXT, ColorSection, COPY(logicOp)},
};
#undef COPY
#undef COPY_BOTH
static_assert(std::size(Rows) <= 64);

// Dynamic states that change no pixel here, or that recording.h follows.
constexpr VkDynamicState OtherStates[] = {
    VK_DYNAMIC_STATE_DEPTH_BOUNDS,
    VK_DYNAMIC_STATE_LINE_STIPPLE_EXT,
    VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
    VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
    VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
    VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
    VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
    VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
    VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
    VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
    VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT,
    VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
    VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
    VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
    VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,
};

template <typename Struct> const Struct *findIn(const void *next, VkStructureType type) {
  for (const auto *at = static_cast<const VkBaseInStructure *>(next); at; at = at->pNext)
    if (at->sType == type)
      return reinterpret_cast<const Struct *>(at);
  return nullptr;
}

void readRaster(const VkPipelineRasterizationStateCreateInfo &info, FixedFunction &values) {
  values.cullMode = info.cullMode;
  values.frontFace = info.frontFace;
  values.polygonMode = info.polygonMode;
  values.depthBiasEnable = info.depthBiasEnable != VK_FALSE;
  values.depthBias = {info.depthBiasConstantFactor, info.depthBiasClamp, info.depthBiasSlopeFactor};
  values.lineWidth = info.lineWidth;
  if (const auto *line = findIn<VkPipelineRasterizationLineStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)) {
    values.lineMode = line->lineRasterizationMode;
    values.lineStippleEnable = line->stippledLineEnable != VK_FALSE;
  }
  if (const auto *clip = findIn<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT))
    values.depthClip = clip->depthClipEnable != VK_FALSE;
  if (const auto *conservative = findIn<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT))
    values.conservative =
        conservative->conservativeRasterizationMode != VK_CONSERVATIVE_RASTERIZATION_MODE_DISABLED_EXT;
}

void readViewports(const VkPipelineViewportStateCreateInfo &info, FixedStates dynamic, FixedFunction &values) {
  const auto isDynamic = [&](VkDynamicState state) {
    const auto *row = std::ranges::find(Rows, state, &Row::state);
    return (dynamic >> (row - Rows) & 1) != 0;
  };
  values.viewports.resize(info.viewportCount);
  if (info.pViewports && !isDynamic(VK_DYNAMIC_STATE_VIEWPORT) && !isDynamic(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT))
    values.viewports.assign(info.pViewports, info.pViewports + info.viewportCount);
  values.scissors.resize(info.scissorCount);
  if (info.pScissors && !isDynamic(VK_DYNAMIC_STATE_SCISSOR) && !isDynamic(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT))
    values.scissors.assign(info.pScissors, info.pScissors + info.scissorCount);
  if (const auto *depth = findIn<VkPipelineViewportDepthClipControlCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT))
    values.negativeOneToOne = depth->negativeOneToOne != VK_FALSE;
}

void readDepthStencil(const VkPipelineDepthStencilStateCreateInfo &info, FixedFunction &values) {
  values.depthTestEnable = info.depthTestEnable != VK_FALSE;
  values.depthWriteEnable = info.depthWriteEnable != VK_FALSE;
  values.depthCompareOp = info.depthCompareOp;
  values.depthBoundsTestEnable = info.depthBoundsTestEnable != VK_FALSE;
  values.stencilTestEnable = info.stencilTestEnable != VK_FALSE;
  values.front = info.front;
  values.back = info.back;
}

void readColor(const VkPipelineColorBlendStateCreateInfo &info, FixedFunction &values) {
  values.logicOpEnable = info.logicOpEnable != VK_FALSE;
  values.logicOp = info.logicOp;
  std::copy_n(info.blendConstants, values.blendConstants.size(), values.blendConstants.begin());
}

} // namespace

void readFixedFunction(const VkGraphicsPipelineCreateInfo &info, VkGraphicsPipelineLibraryFlagsEXT sections,
                       bool isDiscarded, PipelineFixedFunction &fixed) {
  const VkPipelineDynamicStateCreateInfo *dynamic = info.pDynamicState;
  for (uint32_t index = 0; dynamic && index < dynamic->dynamicStateCount; ++index) {
    const VkDynamicState state = dynamic->pDynamicStates[index];
    if (const auto *row = std::ranges::find(Rows, state, &Row::state); row != std::end(Rows)) {
      if (row->section & sections)
        fixed.dynamic |= FixedStates(1) << (row - Rows);
    } else if (std::ranges::find(OtherStates, state) == std::end(OtherStates)) {
      fixed.unsupported = "dynamic state " + std::to_string(state);
    }
    fixed.hasDynamicStrides |= state == VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE && (sections & InputSection) != 0;
  }
  if ((sections & InputSection) && info.pInputAssemblyState)
    fixed.values.primitiveRestart = info.pInputAssemblyState->primitiveRestartEnable != VK_FALSE;
  if ((sections & RasterSection) && info.pRasterizationState)
    readRaster(*info.pRasterizationState, fixed.values);
  if (isDiscarded)
    return;
  if ((sections & RasterSection) && info.pViewportState)
    readViewports(*info.pViewportState, fixed.dynamic, fixed.values);
  if ((sections & DepthSection) && info.pDepthStencilState)
    readDepthStencil(*info.pDepthStencilState, fixed.values);
  if ((sections & ColorSection) && info.pMultisampleState && info.pMultisampleState->pSampleMask)
    fixed.values.sampleMask = info.pMultisampleState->pSampleMask[0];
  if ((sections & ColorSection) && info.pColorBlendState)
    readColor(*info.pColorBlendState, fixed.values);
}

void mergeFixedFunction(const PipelineFixedFunction &library, VkGraphicsPipelineLibraryFlagsEXT sections,
                        PipelineFixedFunction &fixed) {
  for (const Row &row : Rows)
    if (row.section & sections) {
      // The number of viewports and scissors comes with their static values.
      if (row.state == VK_DYNAMIC_STATE_VIEWPORT || row.state == VK_DYNAMIC_STATE_SCISSOR)
        continue;
      row.copy(fixed.values, library.values);
    }
  fixed.dynamic |= library.dynamic;
  fixed.hasDynamicStrides |= library.hasDynamicStrides;
  if (!library.unsupported.empty())
    fixed.unsupported = library.unsupported;
}

FixedFunction resolveFixedFunction(const PipelineFixedFunction &pipeline, const FixedFunction &dynamic) {
  FixedFunction resolved = pipeline.values;
  for (size_t row = 0; row < std::size(Rows); ++row)
    if (pipeline.dynamic >> row & 1)
      Rows[row].copy(resolved, dynamic);
  return resolved;
}

} // namespace dovetail::layer

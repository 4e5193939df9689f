// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/demo_states.h"
#include <algorithm>
#include <functional>

namespace dovetail {

namespace {

// A format of default states, and its narrower relatives.
struct PlainFormat {
  VkFormat format;
  VkFormat narrow16;
  VkFormat narrow8;
};
constexpr PlainFormat PlainFormats[] = {
    {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R8_UNORM},
    {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R8G8_UNORM},
    {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM},
    {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM},
    {VK_FORMAT_R32_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R8_SINT},
    {VK_FORMAT_R32G32_SINT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R8G8_SINT},
    {VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R8G8B8A8_SINT},
    {VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R8G8B8A8_SINT},
    {VK_FORMAT_R32_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R8_UINT},
    {VK_FORMAT_R32G32_UINT, VK_FORMAT_R16G16_UINT, VK_FORMAT_R8G8_UINT},
    {VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R16G16B16A16_UINT, VK_FORMAT_R8G8B8A8_UINT},
    {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R16G16B16A16_UINT, VK_FORMAT_R8G8B8A8_UINT},
};

void narrow(PipelineState &state, VkFormat PlainFormat::*narrowed) {
  for (VertexAttribute &attribute : state.vertexAttributes)
    for (const PlainFormat &plain : PlainFormats)
      if (attribute.format == plain.format) {
        attribute.format = plain.*narrowed;
        break;
      }
}

// Moves the last attribute to a buffer of its own, which advances per instance.
void instance(PipelineState &state, uint32_t divisor) {
  if (state.vertexAttributes.empty())
    return;
  state.vertexBindings.push_back({1, 16, VK_VERTEX_INPUT_RATE_INSTANCE, divisor});
  state.vertexAttributes.back().binding = 1;
  state.vertexAttributes.back().offset = 0;
}

std::vector<PipelineState> apply(const PipelineState &base,
                                 const std::vector<std::function<void(PipelineState &)>> &changes) {
  std::vector<PipelineState> states;
  for (const auto &change : changes)
    change(states.emplace_back(base));
  return states;
}

void setFormat(PipelineState &state, VkFormat format) {
  for (ColorTarget &target : state.colorTargets)
    if (target.format == VK_FORMAT_R8G8B8A8_UNORM)
      target.format = format;
}

void setBlend(PipelineState &state) {
  for (ColorTarget &target : state.colorTargets) {
    target.blendEnable = target.format != VK_FORMAT_UNDEFINED;
    target.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  }
}

} // namespace

std::vector<PipelineState> vertexInputStates(const PipelineState &base) {
  return apply(base, {
                         [](PipelineState &) {},
                         [](PipelineState &state) {
                           state.vertexBindings.clear();
                           for (uint32_t index = 0; VertexAttribute & attribute : state.vertexAttributes) {
                             attribute.binding = index;
                             attribute.offset = 0;
                             state.vertexBindings.push_back({index++, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1});
                           }
                         },
                         [](PipelineState &state) {
                           for (VertexAttribute &attribute : state.vertexAttributes)
                             attribute.offset += 16;
                         },
                         [](PipelineState &state) { narrow(state, &PlainFormat::narrow16); },
                         [](PipelineState &state) { narrow(state, &PlainFormat::narrow8); },
                         [](PipelineState &state) { instance(state, 1); },
                         [](PipelineState &state) { instance(state, 3); },
                         [](PipelineState &state) {
                           uint32_t stride = state.vertexBindings.empty() ? 0 : state.vertexBindings[0].stride;
                           for (VertexAttribute &attribute : state.vertexAttributes)
                             attribute.offset = (stride - attribute.offset - 4) & ~3u;
                         },
                     });
}

std::vector<PipelineState> colorStates(const PipelineState &base) {
  return apply(base, {
                         [](PipelineState &) {},
                         [](PipelineState &state) { setFormat(state, VK_FORMAT_B8G8R8A8_SRGB); },
                         [](PipelineState &state) { setFormat(state, VK_FORMAT_A2B10G10R10_UNORM_PACK32); },
                         [](PipelineState &state) { setFormat(state, VK_FORMAT_R16G16B16A16_SFLOAT); },
                         [](PipelineState &state) { setFormat(state, VK_FORMAT_R16G16B16A16_UNORM); },
                         [](PipelineState &state) { setFormat(state, VK_FORMAT_R32G32B32A32_SFLOAT); },
                         [](PipelineState &state) { setFormat(state, VK_FORMAT_R32_SFLOAT); },
                         setBlend,
                         [](PipelineState &state) {
                           setFormat(state, VK_FORMAT_R16G16B16A16_UNORM);
                           setBlend(state);
                         },
                         [](PipelineState &state) {
                           for (ColorTarget &target : state.colorTargets)
                             target.writeMask = 0x7;
                         },
                         [](PipelineState &state) { state.alphaTestFunc = VK_COMPARE_OP_GREATER; },
                         [](PipelineState &state) {
                           state.alphaToCoverageEnable = true;
                           state.rasterizationSamples = 4;
                         },
                     });
}

} // namespace dovetail

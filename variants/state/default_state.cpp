// SPDX-License-Identifier: MIT
#include "variants/state/default_state.h"
#include "variants/state/check_state.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

// [class][components - 1]
constexpr VkFormat Formats32[3][4] = {
    {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT},
    {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R32G32B32A32_SINT},
    {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32A32_UINT},
};
constexpr VkFormat Formats64[3][4] = {
    {VK_FORMAT_R64_SFLOAT, VK_FORMAT_R64G64_SFLOAT, VK_FORMAT_R64G64B64_SFLOAT, VK_FORMAT_R64G64B64A64_SFLOAT},
    {VK_FORMAT_R64_SINT, VK_FORMAT_R64G64_SINT, VK_FORMAT_R64G64B64_SINT, VK_FORMAT_R64G64B64A64_SINT},
    {VK_FORMAT_R64_UINT, VK_FORMAT_R64G64_UINT, VK_FORMAT_R64G64B64_UINT, VK_FORMAT_R64G64B64A64_UINT},
};

struct AttributeShape {
  VkFormat format;
  uint32_t bytes;
};

AttributeShape shapeOf(const spirv::InterfaceLocation &input) {
  auto numericClass = static_cast<size_t>(input.numericClass);
  uint32_t dwords = std::bit_width(input.componentMask & 0xffu);
  if (input.elementBits == 64) {
    uint32_t components = std::clamp((dwords + 1) / 2, 1u, 4u);
    return {Formats64[numericClass][components - 1], components * 8};
  }
  uint32_t components = std::clamp(dwords, 1u, 4u);
  return {Formats32[numericClass][components - 1], components * 4};
}

void addVertexInput(const spirv::Reflection &vertex, PipelineState &state) {
  uint32_t offset = 0;
  for (const spirv::InterfaceLocation &input : vertex.vertexInputs) {
    AttributeShape shape = shapeOf(input);
    state.vertexAttributes.push_back({input.location, 0, shape.format, offset});
    offset += shape.bytes;
  }
  if (!state.vertexAttributes.empty())
    state.vertexBindings.push_back({0, offset, VK_VERTEX_INPUT_RATE_VERTEX, 1});
}

void addColorTargets(const spirv::Reflection &fragment, PipelineState &state) {
  constexpr VkFormat Formats[3] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_UINT};
  for (const spirv::InterfaceLocation &output : fragment.fragmentOutputs) {
    if (output.location >= MaxColorTargets)
      continue; // no framebuffer has such a target
    ColorTarget &target = state.colorTargets[output.location];
    if (output.index == 0) {
      target.format = Formats[static_cast<size_t>(output.numericClass)];
    } else if (output.location == 0) {
      target.blendEnable = true;
      target.dstColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
      target.dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
    }
  }
}

} // namespace

PipelineState defaultState(const spirv::Reflection *vertex, const spirv::Reflection *fragment) {
  PipelineState state;
  if (vertex)
    addVertexInput(*vertex, state);
  if (fragment)
    addColorTargets(*fragment, state);
  return state;
}

PipelineState defaultState(const ShaderSet &shaders) {
  PipelineState state =
      defaultState(shaders.reflection(lgc::ShaderStage::Vertex), shaders.reflection(lgc::ShaderStage::Fragment));
  state.topology = defaultTopology(shaders);
  const spirv::Reflection *control = shaders.reflection(lgc::ShaderStage::TessControl);
  if (control && control->patchVertices)
    state.patchControlPoints = control->patchVertices;
  return state;
}

} // namespace dovetail

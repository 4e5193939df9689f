// SPDX-License-Identifier: MIT
//
// Interfaces and states as main parts and applications give them, made by hand.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/state/pipeline_state.h"
#include <initializer_list>

namespace dovetail {

// A vertex main part that reads these attributes.
inline ShaderInterface vertexInterface(std::vector<VertexInput> inputs, unsigned userSgprCount = 5) {
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Vs;
  interface.userSgprCount = userSgprCount;
  interface.vertex.inputs = std::move(inputs);
  return interface;
}

inline VertexInput floatInput(uint8_t location, uint8_t mask) {
  return {location, mask, NumericClass::Float, 32};
}
inline VertexInput intInput(uint8_t location, uint8_t mask) {
  return {location, mask, NumericClass::Uint, 32};
}

// One attribute per format, at locations and bindings counted from 0.
inline PipelineState vertexState(std::initializer_list<VkFormat> formats, uint32_t offset = 0) {
  PipelineState state;
  uint32_t location = 0;
  for (VkFormat format : formats) {
    state.vertexAttributes.push_back({location, location, format, offset});
    state.vertexBindings.push_back({location, 64, VK_VERTEX_INPUT_RATE_VERTEX, 1});
    ++location;
  }
  return state;
}

// A fragment main part with these outputs in the registers that the ABI gives them.
inline ShaderInterface fragmentInterface(std::vector<ColorOutput> colors, bool depth = false, bool stencil = false,
                                         bool sampleMask = false) {
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Ps;
  interface.outputs.push_back({{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}});
  interface.outputs.push_back({{ValueKind::AlphaReference}, {RegisterBank::Sgpr, 1}});
  uint16_t vgpr = 0;
  auto add = [&](ValueName value) { interface.outputs.push_back({value, {RegisterBank::Vgpr, vgpr++}}); };
  for (const ColorOutput &color : colors)
    for (uint8_t component = 0; component != 4; ++component)
      if (color.componentMask >> component & 1)
        add({color.index ? ValueKind::ColorSource1 : ValueKind::Color, color.location, component});
  if (depth)
    add({ValueKind::Depth});
  if (stencil)
    add({ValueKind::Stencil});
  if (sampleMask)
    add({ValueKind::SampleMask});
  interface.fragment.colors = std::move(colors);
  interface.fragment.writesDepth = depth;
  interface.fragment.writesStencil = stencil;
  interface.fragment.writesSampleMask = sampleMask;
  return interface;
}

inline ColorOutput floatColor(uint8_t location, uint8_t mask = 0xf, uint8_t index = 0) {
  return {location, index, mask, NumericClass::Float};
}
inline ColorOutput intColor(uint8_t location, uint8_t mask = 0xf) {
  return {location, 0, mask, NumericClass::Uint};
}

// Targets with these formats, from target 0 on.
inline PipelineState colorState(std::initializer_list<VkFormat> formats) {
  PipelineState state;
  unsigned target = 0;
  for (VkFormat format : formats)
    state.colorTargets[target++].format = format;
  return state;
}

// Source-over blending, which reads the source's alpha.
inline void blendOver(ColorTarget &target) {
  target.blendEnable = true;
  target.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
}

// Additive blending, which does not read it.
inline void blendAdd(ColorTarget &target) {
  target.blendEnable = true;
  target.srcColorBlendFactor = target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
  target.srcAlphaBlendFactor = target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Source: the Vulkan specification, "Blend Factors" and "Blend Operations".
#include "tests/emulator/draw/blend.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr unsigned Alpha = 3;

struct Inputs {
  ColorValue source, second, destination, constants;
};

float factorOf(VkBlendFactor factor, const Inputs &in, unsigned component) {
  switch (factor) {
  case VK_BLEND_FACTOR_ZERO:
    return 0;
  case VK_BLEND_FACTOR_ONE:
    return 1;
  case VK_BLEND_FACTOR_SRC_COLOR:
    return in.source[component];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
    return 1 - in.source[component];
  case VK_BLEND_FACTOR_DST_COLOR:
    return in.destination[component];
  case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
    return 1 - in.destination[component];
  case VK_BLEND_FACTOR_SRC_ALPHA:
    return in.source[Alpha];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
    return 1 - in.source[Alpha];
  case VK_BLEND_FACTOR_DST_ALPHA:
    return in.destination[Alpha];
  case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
    return 1 - in.destination[Alpha];
  case VK_BLEND_FACTOR_CONSTANT_COLOR:
    return in.constants[component];
  case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
    return 1 - in.constants[component];
  case VK_BLEND_FACTOR_CONSTANT_ALPHA:
    return in.constants[Alpha];
  case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
    return 1 - in.constants[Alpha];
  case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
    return component == Alpha ? 1 : std::min(in.source[Alpha], 1 - in.destination[Alpha]);
  case VK_BLEND_FACTOR_SRC1_COLOR:
    return in.second[component];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
    return 1 - in.second[component];
  case VK_BLEND_FACTOR_SRC1_ALPHA:
    return in.second[Alpha];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
    return 1 - in.second[Alpha];
  default:
    return 0;
  }
}

struct Equation {
  VkBlendFactor source, destination;
  VkBlendOp op;
};

float combine(const Equation &equation, const Inputs &in, unsigned component) {
  const float source = in.source[component], destination = in.destination[component];
  // Of a NaN and a number, the number, as lavapipe does.
  if (equation.op == VK_BLEND_OP_MIN)
    return std::fmin(source, destination);
  if (equation.op == VK_BLEND_OP_MAX)
    return std::fmax(source, destination);
  const float weightedSource = source * factorOf(equation.source, in, component);
  const float weightedDestination = destination * factorOf(equation.destination, in, component);
  if (equation.op == VK_BLEND_OP_SUBTRACT)
    return weightedSource - weightedDestination;
  if (equation.op == VK_BLEND_OP_REVERSE_SUBTRACT)
    return weightedDestination - weightedSource;
  return weightedSource + weightedDestination;
}

// The range of a target's values. A NaN is 0 there.
ColorValue clampTo(TexelNumeric numeric, ColorValue value) {
  const bool isUnorm = numeric == TexelNumeric::Unorm || numeric == TexelNumeric::Srgb;
  if (isUnorm || numeric == TexelNumeric::Snorm)
    for (float &component : value)
      component = std::isnan(component) ? 0 : std::clamp(component, isUnorm ? 0.0f : -1.0f, 1.0f);
  return value;
}

bool isSecondSource(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

} // namespace

ColorValue blend(const ColorTarget &state, TexelNumeric numeric, const ColorValue &source, const ColorValue &second,
                 const ColorValue &destination, const ColorValue &constants) {
  const Inputs in = {clampTo(numeric, source), clampTo(numeric, second), destination, clampTo(numeric, constants)};
  const Equation color = {state.srcColorBlendFactor, state.dstColorBlendFactor, state.colorBlendOp};
  const Equation alpha = {state.srcAlphaBlendFactor, state.dstAlphaBlendFactor, state.alphaBlendOp};
  ColorValue result;
  for (unsigned component = 0; component < result.size(); ++component)
    result[component] = combine(component == Alpha ? alpha : color, in, component);
  return result;
}

bool readsSecondSource(const ColorTarget &state) {
  return state.blendEnable && (isSecondSource(state.srcColorBlendFactor) || isSecondSource(state.dstColorBlendFactor) ||
                               isSecondSource(state.srcAlphaBlendFactor) || isSecondSource(state.dstAlphaBlendFactor));
}

} // namespace dovetail::emulator

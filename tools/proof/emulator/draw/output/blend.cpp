// SPDX-License-Identifier: MIT
//
// Source: the Vulkan specification, "Blend Factors" and "Blend Operations"; for blending in steps Mesa's
// lp_bld_blend.c, lp_build_mul_norm() and scale_bits().
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/output/blend.h"
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
  // Of a NaN and a number, take the number, as lavapipe does.
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

// Clamps to the range of a target's values; a NaN becomes 0.
ColorValue clampTo(TexelNumeric numeric, ColorValue value) {
  const bool isUnorm = numeric == TexelNumeric::Unorm || numeric == TexelNumeric::Srgb;
  if (isUnorm || numeric == TexelNumeric::Snorm)
    for (float &component : value)
      component = std::isnan(component) ? 0 : std::clamp(component, isUnorm ? 0.0f : -1.0f, 1.0f);
  return value;
}

// Numbers from 0 to 1 in steps of 1 / (2^bits - 1).
class Steps {
public:
  explicit Steps(unsigned bits) : m_bits(bits) {}

  int64_t max() const { return (int64_t(1) << m_bits) - 1; }
  int64_t of(float value) const { return std::lrint(value * float(max())); }
  float value(int64_t steps) const { return float(steps) / float(max()); }
  int64_t product(int64_t a, int64_t b) const {
    const int64_t product = a * b, half = int64_t(1) << (m_bits - 1);
    return (product + (product >> m_bits) + half) >> m_bits;
  }
  // From fewer bits, which are repeated. `bits` is at least half of the wanted number, or 2.
  int64_t widen(int64_t steps, unsigned bits) const {
    int64_t wide = steps << (m_bits - bits);
    for (unsigned have = bits; have < m_bits; have *= 2)
      wide |= wide >> have;
    return wide;
  }
  // To fewer bits: takes the upper ones, or rounds if fewer than half of them stay.
  int64_t narrow(int64_t steps, unsigned bits) const {
    const unsigned dropped = m_bits - bits;
    if (dropped <= bits)
      return steps >> dropped;
    return ((steps >> bits) * ((int64_t(1) << bits) - 1) + (int64_t(1) << (dropped - 1))) >> dropped;
  }

private:
  unsigned m_bits;
};

int64_t combineInSteps(const Steps &steps, const Equation &equation, const Inputs &in, unsigned component) {
  auto weigh = [&](float value, VkBlendFactor factor) {
    return steps.product(steps.of(value), steps.of(factorOf(factor, in, component)));
  };
  const float source = in.source[component], destination = in.destination[component];
  switch (equation.op) {
  case VK_BLEND_OP_MIN:
    return steps.of(std::min(source, destination));
  case VK_BLEND_OP_MAX:
    return steps.of(std::max(source, destination));
  case VK_BLEND_OP_SUBTRACT:
    return weigh(source, equation.source) - weigh(destination, equation.destination);
  case VK_BLEND_OP_REVERSE_SUBTRACT:
    return weigh(destination, equation.destination) - weigh(source, equation.source);
  default:
    return weigh(source, equation.source) + weigh(destination, equation.destination);
  }
}

// Blends in 8 bits, or in 16 if any component has more.
ColorValue blendInSteps(const Equation &color, const Equation &alpha, const TexelLayout &layout, Inputs in) {
  const bool isNarrow =
      std::ranges::all_of(layout.components, [](const TexelComponent &component) { return component.bits <= 8; });
  const Steps steps(isNarrow ? 8 : 16);
  for (ColorValue *values : {&in.source, &in.second, &in.constants})
    for (float &value : *values)
      value = steps.value(steps.of(value));
  for (unsigned component = 0; component < in.destination.size(); ++component)
    if (const unsigned bits = layout.components[component].bits; bits != 0)
      in.destination[component] = steps.value(steps.widen(Steps(bits).of(in.destination[component]), bits));
  ColorValue result = {};
  for (unsigned component = 0; component < result.size(); ++component) {
    const unsigned bits = layout.components[component].bits;
    if (bits == 0)
      continue;
    const int64_t sum = combineInSteps(steps, component == Alpha ? alpha : color, in, component);
    result[component] = Steps(bits).value(steps.narrow(std::clamp<int64_t>(sum, 0, steps.max()), bits));
  }
  return result;
}

bool isSecondSource(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

} // namespace

ColorValue blend(const ColorTarget &state, const TexelLayout &layout, const ColorValue &source,
                 const ColorValue &second, const ColorValue &destination, const ColorValue &constants) {
  const TexelNumeric numeric = layout.numeric;
  const Inputs in = {clampTo(numeric, source), clampTo(numeric, second), destination, clampTo(numeric, constants)};
  const Equation color = {state.srcColorBlendFactor, state.dstColorBlendFactor, state.colorBlendOp};
  const Equation alpha = {state.srcAlphaBlendFactor, state.dstAlphaBlendFactor, state.alphaBlendOp};
  if (numeric == TexelNumeric::Unorm)
    return blendInSteps(color, alpha, layout, in);
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

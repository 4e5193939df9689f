// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/blend_estimate.h"
#include <algorithm>
#include <cmath>

namespace dovetail {

namespace {

constexpr BlendColor Constants = {0.35f, 0.45f, 0.55f, 0.65f};
constexpr BlendColor SecondSource = {0.35f, 0.6f, 0.25f, 0.7f};
// Rough clear values of makeScene() for these operations.
constexpr float LowDestination = 0.15f, HighDestination = 0.85f;
constexpr BlendColor Destination = {0.3f, 0.4f, 0.6f, 0.7f};
// More than one step of a 5-bit format.
constexpr float Visible = 0.05f;

float destinationOf(const ColorTarget &target, unsigned component, bool hasAlpha) {
  if (component == 3 && !hasAlpha)
    return 1;
  VkBlendOp op = component < 3 ? target.colorBlendOp : target.alphaBlendOp;
  return op == VK_BLEND_OP_MIN ? HighDestination : op == VK_BLEND_OP_MAX ? LowDestination : Destination[component];
}

float factor(VkBlendFactor which, unsigned c, const BlendColor &source, const BlendColor &destination) {
  switch (which) {
  case VK_BLEND_FACTOR_ONE:
    return 1;
  case VK_BLEND_FACTOR_SRC_COLOR:
    return source[c];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
    return 1 - source[c];
  case VK_BLEND_FACTOR_DST_COLOR:
    return destination[c];
  case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
    return 1 - destination[c];
  case VK_BLEND_FACTOR_SRC_ALPHA:
    return source[3];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
    return 1 - source[3];
  case VK_BLEND_FACTOR_DST_ALPHA:
    return destination[3];
  case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
    return 1 - destination[3];
  case VK_BLEND_FACTOR_CONSTANT_COLOR:
    return Constants[c];
  case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
    return 1 - Constants[c];
  case VK_BLEND_FACTOR_CONSTANT_ALPHA:
    return Constants[3];
  case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
    return 1 - Constants[3];
  case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
    return c == 3 ? 1 : std::min(source[3], 1 - destination[3]);
  case VK_BLEND_FACTOR_SRC1_COLOR:
    return SecondSource[c];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
    return 1 - SecondSource[c];
  case VK_BLEND_FACTOR_SRC1_ALPHA:
    return SecondSource[3];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
    return 1 - SecondSource[3];
  default: // VK_BLEND_FACTOR_ZERO
    return 0;
  }
}

float combine(VkBlendOp op, float source, float destination, float weightedSource, float weightedDestination) {
  switch (op) {
  case VK_BLEND_OP_SUBTRACT:
    return weightedSource - weightedDestination;
  case VK_BLEND_OP_REVERSE_SUBTRACT:
    return weightedDestination - weightedSource;
  case VK_BLEND_OP_MIN:
    return std::min(source, destination);
  case VK_BLEND_OP_MAX:
    return std::max(source, destination);
  default: // VK_BLEND_OP_ADD
    return weightedSource + weightedDestination;
  }
}

} // namespace

bool blendingShows(const ColorTarget &target, const BlendColor &source, uint32_t components, bool hasAlpha) {
  BlendColor destination;
  for (unsigned c = 0; c < 4; ++c)
    destination[c] = destinationOf(target, c, hasAlpha);
  for (unsigned c = 0; c < 4; ++c) {
    if (!(components >> c & 1))
      continue;
    bool isColor = c < 3;
    float sourceFactor =
        factor(isColor ? target.srcColorBlendFactor : target.srcAlphaBlendFactor, c, source, destination);
    float destinationFactor =
        factor(isColor ? target.dstColorBlendFactor : target.dstAlphaBlendFactor, c, source, destination);
    float result = combine(isColor ? target.colorBlendOp : target.alphaBlendOp, source[c], destination[c],
                           source[c] * sourceFactor, destination[c] * destinationFactor);
    if (std::fabs(std::clamp(result, 0.0f, 1.0f) - destination[c]) > Visible)
      return true;
  }
  return false;
}

} // namespace dovetail

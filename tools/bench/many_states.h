// SPDX-License-Identifier: MIT
//
// States for benchmarks of new variants: vertex inputs that ask for different prologs, colour outputs that ask for
// different epilogs, and every pair of them.
#pragma once

#include "variants/state/default_state.h"
#include "variants/state/state.h"

namespace dovetail {

// The default state of the shaders with another vertex input and another colour output. Each number of a vertex input
// gives other offsets, so a prolog of its own. Each number of a colour output gives another format, mask, alpha test or
// clamp, so an epilog of its own.
inline PipelineState makeManyState(const PipelineState &base, uint32_t vertexInput, uint32_t colorOutput) {
  constexpr VkFormat Formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SNORM,
                                  VK_FORMAT_R32G32B32A32_SFLOAT};
  PipelineState state = base;
  for (VertexAttribute &attribute : state.vertexAttributes)
    attribute.offset += 4 * vertexInput;
  ColorTarget &target = state.colorTargets[0];
  target.format = Formats[colorOutput % 4];
  target.writeMask = 1 + colorOutput / 4 % 15;
  state.alphaTestFunc = VkCompareOp(VK_COMPARE_OP_LESS + colorOutput / 60 % 6);
  state.clampColor = colorOutput / 360 % 2;
  state.alphaToCoverageEnable = colorOutput / 720 % 2;
  return state;
}

} // namespace dovetail

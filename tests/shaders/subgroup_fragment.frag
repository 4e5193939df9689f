// SPDX-License-Identifier: MIT
// Subgroup operations in a fragment shader with helper lanes.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  float active_ = float(subgroupBallotBitCount(subgroupBallot(!gl_HelperInvocation)));
  vec4 average = (color + subgroupQuadSwapHorizontal(color)) * 0.5;
  target = average * subgroupMax(color.w) + active_ / 64.0;
}

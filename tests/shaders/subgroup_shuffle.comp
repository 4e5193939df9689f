// SPDX-License-Identifier: MIT
// Subgroup shuffles of scalars and vectors, and quad operations.
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { vec4 values[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = values[i];
  v += subgroupShuffle(v, (gl_SubgroupInvocationID + 7u) & 63u);
  v.xy += subgroupShuffleXor(v.xy, 5u);
  v.x += subgroupShuffleUp(v.x, 1u) + subgroupShuffleDown(v.y, 2u);
  v += subgroupQuadBroadcast(v, 2u) + subgroupQuadSwapHorizontal(v) + subgroupQuadSwapVertical(v);
  v.z += subgroupQuadSwapDiagonal(v.w);
  values[i] = v;
}

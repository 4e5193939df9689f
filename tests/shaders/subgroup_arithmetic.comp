// SPDX-License-Identifier: MIT
// Subgroup reductions, scans and clustered reductions of all operations.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  int s[64];
  uint u[64];
  vec2 f[64];
};

void main() {
  uint i = gl_LocalInvocationIndex;
  int a = s[i];
  uint b = u[i];
  vec2 c = f[i];
  s[i] = subgroupAdd(a) + subgroupMul(a) + subgroupMin(a) + subgroupMax(a) + subgroupInclusiveAdd(a) + subgroupExclusiveMin(a);
  u[i] = subgroupAnd(b) + subgroupOr(b) + subgroupXor(b) + subgroupInclusiveMax(b) + subgroupExclusiveAdd(b) +
         subgroupClusteredAdd(b, 8u) + subgroupClusteredXor(b, 2u) + subgroupInclusiveOr(b) + subgroupClusteredMin(b, 32u);
  f[i] = subgroupAdd(c) + subgroupMin(c) + subgroupMax(c) + subgroupInclusiveMul(c) + subgroupExclusiveMax(c) +
         subgroupClusteredMax(c, 4u) + subgroupClusteredMul(c, 16u);
}

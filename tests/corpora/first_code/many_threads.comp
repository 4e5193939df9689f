// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require

// A wave of a group of 1024 threads has 64 VGPRs. Values wait in memory while whole waves add, and some lanes wait.
layout(local_size_x = 1024) in;
struct Row {
  uvec4 v[20];
};
layout(std430, set = 0, binding = 0) readonly buffer From { Row from[]; };
layout(std430, set = 0, binding = 1) buffer To { Row to[]; };
shared uint sums[1024];

void main() {
  uint i = gl_LocalInvocationID.x;
  Row row = from[i & 7u];
  sums[i] = row.v[19].w;
  barrier();
  if ((row.v[0].x & 1u) == 0u) {
    row.v[1].y += subgroupAdd(row.v[2].z);
    for (uint k = 0u; k < (row.v[18].x & 3u); ++k)
      row.v[17].y += subgroupInclusiveAdd(row.v[16].w ^ k) + sums[(i + k) & 1023u];
  }
  row.v[10] ^= row.v[11] * row.v[12];
  if ((i & 15u) == (i >> 6))
    to[i & 15u] = row;
}

// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_ballot : require

// The same value is read from the first lane where all lanes run, and where some of them do.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint n = numbers[i] * 64u + i;
  uint all = subgroupBroadcastFirst(n);
  uint some = 0u;
  if ((i & 3u) == 2u) {
    some = subgroupBroadcastFirst(n);
    if ((i & 7u) == 6u)
      some += 1000u * subgroupBroadcastFirst(n);
  }
  numbers[i] = all + 7u * some + 100000u * subgroupBroadcastFirst(n + some);
}

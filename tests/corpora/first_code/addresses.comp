// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_shader_subgroup_basic : require

// Addresses that all lanes share while they are in a loop that lanes leave apart, and that are used behind it. lavapipe,
// whose loops lose what such addresses load, has subgroups of another size and does not draw this.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(buffer_reference, std430) buffer Row { uint a[64]; };
layout(std140, set = 0, binding = 1) uniform Rows { Row rows[8]; };

void main() {
  uint i = gl_LocalInvocationID.x, n = gl_SubgroupInvocationID & 15u;
  uint steps = 0u, sum = 0u;
  Row at;
  do {
    at = rows[steps & 7u];
    sum = sum * 3u + at.a[0] + at.a[3];
    ++steps;
  } while (steps < n);
  numbers[i + 64u] = 7u;
  numbers[i + 128u] = sum + at.a[0] * 7u + at.a[3] * 5u;
}

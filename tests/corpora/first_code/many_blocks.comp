// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_basic : require

// 1,500 blocks one behind the other, which lanes pass in different ways. lavapipe, which would take long, has other
// subgroups.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer From { uint from[]; };
layout(std430, set = 0, binding = 1) buffer To { uint to[]; };

#define ONE(n) if ((x >> (n & 31) & 1u) != 0u) { to[i * 4u + (n & 3u)] += x; x = x * 1664525u + n; }
#define FOUR(n) ONE(n) ONE(n + 1u) ONE(n + 2u) ONE(n + 3u)
#define SIXTEEN(n) FOUR(n) FOUR(n + 5u) FOUR(n + 11u) FOUR(n + 18u)
#define MANY(n) SIXTEEN(n) SIXTEEN(n + 7u) SIXTEEN(n + 30u) SIXTEEN(n + 61u)

void main() {
  uint i = gl_LocalInvocationID.x;
  uint x = from[i] + gl_SubgroupInvocationID;
  MANY(1u) MANY(2u) MANY(3u) MANY(4u) MANY(5u) MANY(6u) MANY(7u) MANY(8u) MANY(9u) MANY(10u) MANY(11u) MANY(12u)
  to[i * 4u] ^= x;
}

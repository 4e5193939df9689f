// SPDX-License-Identifier: MIT
// An array in registers whose elements are all written, none by a number that is known.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, std430) buffer Words { uint words[64]; };
layout(push_constant) uniform Constants { uint first; };

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint a[8];
  for (uint i = 0u; i < 8u; ++i)
    a[(first + i) & 7u] = lane * i;
  words[lane] = a[2] + a[5] * 7u;
}

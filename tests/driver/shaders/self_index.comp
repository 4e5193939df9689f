// SPDX-License-Identifier: MIT
// Small arrays and vectors whose elements say which element comes next.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[64]; uint found[64]; };

void main() {
  uint i = gl_GlobalInvocationID.x & 63;
  uint next[4];
  for (uint k = 0; k < 4; ++k)
    next[k] = (numbers[i] >> 2 * k) & 3;
  uvec2 pair = uvec2(i & 1, i >> 1 & 1);
  uint place = next[next[i & 3]];
  if ((i & 4) != 0)
    place = next[next[next[place]]];
  found[i] = place * 2 + pair[pair.x] + pair[pair[pair.y]];
}

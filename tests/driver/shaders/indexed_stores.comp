// SPDX-License-Identifier: MIT
// Stores to elements of an array in registers, by numbers that are the same in all lanes. Element 0 is not read behind
// them, so LLVM leaves its register as it is.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, std430) buffer Words { uint words[64]; };
layout(binding = 1) uniform Indices { uvec4 indices[4]; };

void main() {
  uint lane = gl_LocalInvocationID.x;
  float v = float(bitfieldExtract(int(indices[3].z), 2, 10)) * 0.0625;
  float a[8];
  for (int i = 0; i < 8; i++)
    a[i] = clamp(v + v, -32.0, 32.0);
  a[indices[1].w & 7u] = clamp(a[0] + 0.0625, -1.0, 2.0);
  a[indices[2].x & 7u] = clamp(floor(v) * 0.0625, -32.0, 32.0);
  words[lane] = uint(int(a[2] * 16.0)) + uint(int(a[5] * 16.0)) * 35u + uint(int(a[3] * 16.0)) * 77u;
}

// SPDX-License-Identifier: MIT
// Vectors and matrices of doubles from uniforms, of which some elements are not used.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Uniforms {
  dvec4 first, last;
  dmat3x4 matrix;
};
layout(set = 0, binding = 1) buffer Numbers { float numbers[64]; double found[64]; };

void main() {
  uint i = gl_GlobalInvocationID.x & 63;
  dvec4 lowest = first, highest = last;
  dmat3x4 all = matrix;
  dvec3 product = (all * dvec3(numbers[i], 1.0, 2.0)).xyz;
  found[i] = lowest.x + lowest.y * lowest.z + highest.y * highest.w + product.x + product.y * product.z;
}

// SPDX-License-Identifier: MIT
// A separable blur that keeps a row of texels in shared memory.
#version 450
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1, rgba16f) uniform writeonly image2D target;
layout(push_constant) uniform Push { ivec2 direction; };
const int Radius = 8;
shared vec4 row[128 + 2 * Radius];
const float Weights[9] = float[](0.132981, 0.125858, 0.106701, 0.081029, 0.055119, 0.033585, 0.018331, 0.008962, 0.003924);

void main() {
  int x = int(gl_GlobalInvocationID.x), y = int(gl_WorkGroupID.y);
  int local = int(gl_LocalInvocationID.x);
  ivec2 size = textureSize(source, 0);
  ivec2 at = direction.x != 0 ? ivec2(x, y) : ivec2(y, x);
  row[local + Radius] = texelFetch(source, clamp(at, ivec2(0), size - 1), 0);
  if (local < Radius) {
    row[local] = texelFetch(source, clamp(at - direction * Radius, ivec2(0), size - 1), 0);
    row[local + 128 + Radius] = texelFetch(source, clamp(at + direction * 128, ivec2(0), size - 1), 0);
  }
  barrier();
  vec4 sum = row[local + Radius] * Weights[0];
  for (int i = 1; i <= Radius; ++i)
    sum += (row[local + Radius - i] + row[local + Radius + i]) * Weights[i];
  if (all(lessThan(at, size)))
    imageStore(target, at, sum);
}

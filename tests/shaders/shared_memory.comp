// SPDX-License-Identifier: MIT
// Shared arrays, structures and matrices with all kinds of barriers.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) buffer Matrices {
  mat4 inputs[2];
  float a[1024];
  float b[];
};
struct Tile {
  vec3 color;
  float values[4];
};
shared float tileA[16][17];
shared Tile tiles[16];
shared mat2 turn;

void main() {
  uvec2 l = gl_LocalInvocationID.xy;
  tileA[l.y][l.x] = a[gl_GlobalInvocationID.y * 32u + gl_GlobalInvocationID.x];
  if (l.y == 0u) {
    tiles[l.x].color = vec3(l, 1.0);
    tiles[l.x].values[l.x & 3u] = float(l.x);
  }
  if (gl_LocalInvocationIndex == 0u)
    turn = mat2(inputs[1]);
  memoryBarrierShared();
  barrier();
  float sum = 0.0;
  for (int k = 0; k < 16; ++k)
    sum += tileA[l.y][k] * tileA[k][l.x];
  groupMemoryBarrier();
  Tile tile = tiles[l.x];
  sum += dot(tile.color, vec3(tile.values[l.x & 3u], turn[1]));
  memoryBarrier();
  memoryBarrierBuffer();
  memoryBarrierImage();
  b[gl_GlobalInvocationID.y * 32u + gl_GlobalInvocationID.x] = sum;
}

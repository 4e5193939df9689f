// SPDX-License-Identifier: MIT
#version 450

// What all lanes share while they are in a loop differs behind it, because they leave it apart; so does all that is
// loaded with it, from buffers, images, the memory of a workgroup and tables.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(std140, set = 0, binding = 1) uniform Same { uvec4 same[8]; };
layout(set = 0, binding = 2) uniform usamplerBuffer texels;
layout(set = 0, binding = 3, r32ui) uniform readonly uimage1D image;
shared uint rows[64];

const uint table[8] = uint[](11u, 3u, 7u, 1u, 13u, 5u, 17u, 2u);

void main() {
  uint i = gl_LocalInvocationID.x;
  uint n = numbers[i] & 15u;
  rows[i] = n * 5u;
  barrier();
  uint k = 1u, steps = 0u;
  do {
    k = (k * 5u + 3u) & 63u;
    ++steps;
  } while (steps < n);
  uint loaded = numbers[k], shares = rows[k], known = table[k & 7u];
  uint result = same[loaded & 7u].x + same[shares & 7u].y * 3u + same[known & 7u].z * 7u;
  uint texel = texelFetch(texels, int(k)).x, pixel = imageLoad(image, int(k)).x;
  result += same[texel & 7u].w * 5u + same[pixel & 7u].x * 9u;
  if ((texel & 4u) == 0u)
    result *= 3u;
  if ((loaded & 1u) == 0u)
    result += 1000u;
  if ((shares & 2u) == 0u)
    result ^= 77u;
  numbers[i + 64u] = result;
}

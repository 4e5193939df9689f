// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

// Memory of a workgroup with atomics and narrow elements, tables and variables that are copied as a whole, and buffers
// that lanes choose.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1) uniform Choices { uvec4 values[4]; } choices[4];

shared uint sums[16];
shared uint64_t wide[4];
shared uint8_t bytes[256];

const uint table[24] = uint[](3u, 1u, 4u, 1u, 5u, 9u, 2u, 6u, 5u, 3u, 5u, 8u, 9u, 7u, 9u, 3u, 2u, 3u, 8u, 4u, 6u, 2u, 6u, 4u);

void main() {
  uint i = gl_LocalInvocationIndex;
  uint n = numbers[gl_GlobalInvocationID.x];
  if (i < 16u)
    sums[i] = i;
  if (i < 4u)
    wide[i] = uint64_t(i) << 33;
  for (uint k = 0u; k < 4u; ++k)
    bytes[i * 4u + k] = uint8_t(n >> (8u * k));
  barrier();
  atomicAdd(sums[n & 15u], n >> 4);
  atomicMax(sums[n >> 8 & 15u], n);
  atomicXor(sums[n >> 3 & 15u], n * 3u);
  barrier();
  uint copy[24] = table;
  copy[n % 24u] = n;
  copy[(n >> 5) % 24u] += uint(bytes[(n * 7u) & 255u]);
  uint result = copy[(n >> 10) % 24u] ^ copy[n % 24u] ^ table[(n >> 15) % 24u];
  result += choices[nonuniformEXT(n & 3u)].values[n >> 2 & 3u].y;
  barrier();
  if (i < 16u)
    result ^= sums[i];
  numbers[gl_GlobalInvocationID.x] = result + uint(wide[n & 3u] >> 32) + uint(bytes[i ^ 0x55u]);
}

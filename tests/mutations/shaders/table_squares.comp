// SPDX-License-Identifier: MIT
// A compute shader with two tables.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint values[]; };
const uint Primes[16] = uint[](2u, 3u, 5u, 7u, 11u, 13u, 17u, 19u, 23u, 29u, 31u, 37u, 41u, 43u, 47u, 53u);
const float Roots[8] = float[](1.0, 1.414, 1.732, 2.0, 2.236, 2.449, 2.646, 2.828);
void main() {
  uint i = gl_LocalInvocationIndex;
  values[i] = Primes[i & 15u] * Primes[(i / 4u) & 15u] + uint(Roots[i & 7u] * 1000.0);
}

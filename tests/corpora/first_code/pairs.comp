// SPDX-License-Identifier: MIT
#version 450

// Loads of a workgroup's memory that are equal, between others that the hardware makes in pairs, in all orders.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(std430, set = 0, binding = 1) buffer Others { uint others[]; };

shared uint cells[64][4];

// Another store keeps the shader's compiler from making one load of two.
#define READ(place, element) (others[4u * i + (place)] = sum, cells[other][element])

void main() {
  uint i = gl_LocalInvocationIndex, other = i ^ 1u, sum = numbers[i];
  for (uint k = 0u; k < 4u; ++k)
    cells[i][k] = numbers[i] * (2u * k + 3u) + k * 1000u;
  barrier();
  sum += 3u * READ(0u, 1);
  sum += 5u * READ(1u, 1);
  sum += 7u * READ(2u, 0);
  sum += 9u * READ(3u, 0);
  sum += 11u * READ(0u, 2);
  sum += 13u * READ(1u, 3);
  sum += 17u * READ(2u, 3);
  sum += 19u * READ(3u, 2);
  numbers[i] = sum + cells[other][1];
}

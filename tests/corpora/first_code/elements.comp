// SPDX-License-Identifier: MIT
#version 450

// Elements of one array are indices of another one, and are stored there.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint places[4], values[4];
  for (uint k = 0u; k < 4u; ++k) {
    places[k] = (numbers[i] + 3u * k) & 3u;
    values[k] = k * 100u + i;
  }
  values[places[i & 3u]] = 7u;
  places[(i >> 2) & 3u] = values[places[(i >> 4) & 3u]] & 3u;
  uint sum = 0u;
  for (uint k = 0u; k < 4u; ++k)
    sum = sum * 31u + values[k] + 5u * places[k];
  numbers[i] = sum;
}

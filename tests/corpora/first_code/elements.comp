// SPDX-License-Identifier: MIT
#version 450

// Elements of one array are indices of another one, and are stored there. An element of three dwords, whose index all
// lanes share, but which the vector unit computes.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1) uniform Shares { float share; };

const uvec3 Table[3] = uvec3[](uvec3(3u, 5u, 7u), uvec3(11u, 13u, 17u), uvec3(19u, 23u, 29u));

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
  const uvec3 element = Table[uint(abs(share) * 100.0) % 3u];
  numbers[i] = sum * element.x + (sum ^ element.y) * element.z;
}

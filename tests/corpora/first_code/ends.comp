// SPDX-License-Identifier: MIT
#version 450

// An inner loop's exit is the way back to the start of the loop around it, with other blocks of the inner loop behind it.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(std140, set = 0, binding = 1) uniform Same { uvec4 same; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint k = numbers[i] & 255u, sum = 0u;
  while (k < 2000u + (same.y & 255u)) {
    while (true) {
      k += 7u + 2u * (same.x & 3u);
      sum = sum * 3u + k;
      if ((k & 5u) == 4u)
        break;
      if ((k & 8u) == 0u)
        sum ^= numbers[64u + (k & 63u)];
      else
        sum += i;
    }
  }
  while (true) {
    bool isLast = false;
    do {
      k += 11u;
      do {
        k += 13u;
        sum = (sum ^ k) * 5u;
      } while ((k & 6u) == 2u);
      isLast = k > 3000u;
      if (isLast)
        break;
      sum += numbers[64u + (k & 63u)];
    } while ((k & 24u) == 16u);
    if (isLast)
      break;
  }
  numbers[i] = sum;
}

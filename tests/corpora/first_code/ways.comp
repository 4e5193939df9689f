// SPDX-License-Identifier: MIT
#version 450

// Lanes that leave loops apart, with branches in between that all lanes take alike, and what they carry out.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(std140, set = 0, binding = 1) uniform Same { uvec4 same; };
shared uint rows[64];

void main() {
  uint i = gl_LocalInvocationID.x;
  uint n = numbers[i] & 15u;
  uint sum = 0u, last = 0u;
  bool wasOdd = false;
  uint step = (same.x & 3u) + 1u;
  for (uint k = 0u; k < 20u; k += step) {
    uint weight = k * 3u + same.y % 5u;
    if (k > n) {
      if (((k + i) & 7u) == 5u)
        break;
      if ((same.z & 1u) == 0u)
        weight += 2u;
      else
        weight ^= k;
      if ((same.w & 3u) == 3u && k > 12u)
        break;
      sum += weight;
    } else if ((k & 1u) == (same.x & 1u)) {
      sum += 100u;
      continue;
    }
    last = k;
    wasOdd = (weight & 1u) == 1u;
    sum = sum * 3u + weight;
  }
  rows[i] = sum;
  barrier();
  uint other = rows[(i * 7u + last) & 63u];
  if (wasOdd)
    sum += other;
  uint m = n;
  do {
    m = m * 5u + 1u;
    if ((m & 31u) == (same.y & 31u))
      break;
    sum ^= m;
  } while ((m & 12u) != 4u);
  numbers[i] = sum + last * 65536u;
}

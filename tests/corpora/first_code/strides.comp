// SPDX-License-Identifier: MIT
#version 450

// Numbers of cases that are multiples of others: LLVM rotates what is switched over.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(std140, set = 0, binding = 1) uniform Same { uvec4 same; };

void main() {
  uint i = gl_LocalInvocationID.x, sum = numbers[i];
  switch (numbers[i] & 113u) {
  case 0u: sum *= 3u; break;
  case 16u: sum += numbers[64u]; break;
  case 32u: sum ^= numbers[65u]; break;
  case 48u: sum -= numbers[66u]; break;
  case 64u: sum *= numbers[67u]; break;
  default: sum += 7u;
  }
  switch (same.x & 57u) {
  case 8u: sum *= 3u; break;
  case 16u: sum += numbers[68u]; break;
  case 24u: sum ^= numbers[69u]; break;
  case 32u: sum -= numbers[70u]; break;
  case 40u: sum *= numbers[71u]; break;
  default: sum += 5u;
  }
  numbers[i] = sum;
}

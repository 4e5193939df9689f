// SPDX-License-Identifier: MIT
#version 450

// Divisions by constants, by powers of two and by variables, signed and unsigned.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };

uint divideUnsigned(uint n) {
  return n / 7u + n % 7u * 3u + n / 641u + n % 8u + n / 16u + n / 0x80000001u + n % 0xffffffffu + n / 6u + n / 28u;
}

int divideSigned(int n) {
  return n / 7 + n % 7 * 3 - n / -5 + n % 10 + n / 8 - n % 16 + n / -1000003 + n / 3 + n / 0x7fffffff;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint n = numbers[i];
  uint d = (numbers[i + 64u] >> (i & 31u)) | 1u;
  uint result = divideUnsigned(n) ^ uint(divideSigned(int(n)));
  result += n / d + n % d * 5u;
  int signedDivisor = int(d) == -1 ? 3 : int(d);
  result ^= uint(int(n) / signedDivisor) + uint(int(n) % signedDivisor) * 7u;
  for (uint k = 0u; k < 4u; ++k) {
    uint extreme = (k == 0u ? 0xffffffffu : k == 1u ? 0x80000000u : k == 2u ? 0x7fffffffu : n) - (i & 3u);
    result = result * 31u + divideUnsigned(extreme) + extreme / d + uint(divideSigned(int(extreme)));
  }
  numbers[i] = result;
}

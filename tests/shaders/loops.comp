// SPDX-License-Identifier: MIT
// For, while and do loops with break, continue and nesting.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { int values[]; };

void main() {
  int n = values[gl_GlobalInvocationID.x];
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 7 == 3)
      continue;
    int j = i;
    while (j > 0) {
      if (sum > 10000)
        break;
      sum += j & 3;
      j >>= 1;
    }
    do {
      ++j;
      if (j == 5 && i == 9)
        continue;
      sum ^= j;
    } while (j < i % 4);
    if (sum < -100)
      break;
  }
  for (;;) {
    if (--n < 0)
      break;
    for (int k = n; k < 3; ++k)
      sum += k;
  }
  values[gl_GlobalInvocationID.x] = sum;
}

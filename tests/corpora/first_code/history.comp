// SPDX-License-Identifier: MIT
#version 450

// Values that move on by one from each pass of a loop to the next. Whether lanes differ in one is known from the one in
// front of it.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1) uniform Counts { uint passes; };

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0u;
  uint history[40];
  for (uint k = 0u; k < 40u; ++k)
    history[k] = 7u * k;
  for (uint pass = 0u; pass < (passes & 63u) + 20u; ++pass) {
    for (uint k = 39u; k > 0u; --k)
      history[k] = history[k - 1u];
    history[0] = numbers[i] + pass;
  }
  for (uint k = 0u; k < 40u; ++k)
    sum = sum * 31u + history[k];
  numbers[i] = sum;
}

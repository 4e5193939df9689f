// SPDX-License-Identifier: MIT
#version 450

// Functions that are left early, within each other: often no lane of a wave is left for what comes behind.
layout(set = 0, binding = 0) uniform Numbers { uvec4 numbers; };
layout(location = 0) out vec4 color;

vec4 choose(uint n) {
  if (n % 3u != numbers.x % 3u) {
    if (n < numbers.y % 8u)
      return vec4(1.0, 0.0, float(n & 7u) / 8.0, 1.0);
    if ((n ^ numbers.z) % 2u == 0u)
      return vec4(0.5, 0.25, 0.0, 1.0);
  }
  if (n % 5u != numbers.y % 5u)
    return vec4(0.0, 0.5, float(numbers.z % 9u) / 9.0, 1.0);
  for (uint i = 0u; i < n % 4u; ++i) {
    if (numbers.w % 16u == i + n)
      return vec4(0.75);
    if (i == 2u)
      break;
  }
  return n > 1000u ? vec4(0.1) : vec4(0.0, 1.0, 0.0, 1.0);
}

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  vec4 coarse = choose(at.x / 8u), fine = choose(at.x + at.y * 7u);
  if (coarse.x > 0.9 && fine.y > 0.9)
    discard;
  color = coarse * 0.5 + fine * 0.5;
}

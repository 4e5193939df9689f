// SPDX-License-Identifier: MIT
#version 450

// More values of lanes than there are VGPRs, in a loop that lanes leave apart, and across a branch.
layout(local_size_x = 64) in;
struct Row {
  vec4 v[72];
};
layout(std430, set = 0, binding = 0) readonly buffer From { Row from[]; };
layout(std430, set = 0, binding = 1) buffer To { Row to[]; };
layout(std430, set = 0, binding = 2) readonly buffer Numbers { uint numbers[]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  Row row = from[i & 1u];
  uint steps = numbers[i] & 7u;
  for (uint k = 0u; k <= steps; ++k) {
    row.v[3] = row.v[70] * 0.5 + row.v[4];
    row.v[70] = row.v[3].yzwx - row.v[41];
    if ((numbers[i + k] & 1u) != 0u)
      row.v[41] = row.v[5] + row.v[70];
  }
  if ((i & 4u) != 0u)
    row.v[60] += row.v[1] * row.v[2];
  to[i & 63u] = row;
}

// SPDX-License-Identifier: MIT
// An array that is too large for registers: scratch memory in the first half of a merged program.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;

void main() {
  vec4 steps[48];
  for (int i = 0; i < 48; ++i)
    steps[i] = color * (1.0 - float(i) * 0.01);
  gl_Position = position;
  vertexColor = steps[gl_VertexIndex % 48];
}

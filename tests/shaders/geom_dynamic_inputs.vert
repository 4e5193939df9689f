// SPDX-License-Identifier: MIT
// A vertex with an array and a block of outputs.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 bands[2];
layout(location = 2) out Data {
  vec3 shade;
  flat int id;
} data;

void main() {
  gl_Position = position;
  bands[0] = color;
  bands[1] = color.bgra * 0.5;
  data.shade = position.xyz * 0.5 + 0.5;
  data.id = gl_VertexIndex;
}

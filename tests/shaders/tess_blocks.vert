// SPDX-License-Identifier: MIT
// A vertex of a patch with a block of outputs.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 1) out Vertex {
  vec4 color;
  vec2 uv[2];
  flat int id;
} vertex;

void main() {
  gl_Position = position;
  vertex.color = color;
  vertex.uv[0] = position.xy;
  vertex.uv[1] = color.rg;
  vertex.id = gl_VertexIndex & 7;
}

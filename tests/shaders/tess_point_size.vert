// SPDX-License-Identifier: MIT
// A vertex with a point size.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;

void main() {
  gl_Position = position;
  gl_PointSize = 2.0 + float(gl_VertexIndex & 3);
  vertexColor = color;
}

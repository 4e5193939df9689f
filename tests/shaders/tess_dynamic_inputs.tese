// SPDX-License-Identifier: MIT
// Control points at dynamic places.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  int first = gl_PrimitiveID % 3;
  gl_Position = vec4(0.0);
  color = vec4(0.0);
  for (int i = 0; i < 3; ++i) {
    int vertex = (first + i) % 3;
    gl_Position += gl_in[vertex].gl_Position * gl_TessCoord[vertex];
    color += controlColor[vertex] * gl_TessCoord[vertex];
  }
}

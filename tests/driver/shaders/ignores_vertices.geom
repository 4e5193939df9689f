// SPDX-License-Identifier: MIT
// Reads nothing that a vertex shader hands over.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = vec4(i == 1 ? 0.9 : -0.8, i == 2 ? 0.7 : -0.9, 0.5, 1.0);
    color = vec4(gl_PrimitiveIDIn & 3, i, 1.0, 4.0) * 0.25;
    EmitVertex();
  }
}

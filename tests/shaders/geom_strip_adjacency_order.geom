// SPDX-License-Identifier: MIT
// Which vertex a triangle begins with, and which neighbours it has, can be seen: corners and neighbours have brightnesses
// of their own.
#version 450
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[2 * i].gl_Position;
    color = vertexColor[2 * i] * (0.4 + 0.2 * float(i)) + 0.3 * vertexColor[2 * i + 1];
    EmitVertex();
  }
}

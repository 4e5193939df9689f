// SPDX-License-Identifier: MIT
// The edges of a triangle as three strips of their own.
#version 450
layout(triangles) in;
layout(line_strip, max_vertices = 6) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    int next = (i + 1) % 3;
    gl_Position = gl_in[i].gl_Position;
    color = vertexColor[i];
    EmitVertex();
    gl_Position = gl_in[next].gl_Position;
    color = vertexColor[next];
    EmitVertex();
    EndPrimitive();
  }
}

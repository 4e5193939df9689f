// SPDX-License-Identifier: MIT
// Triangles are passed on.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < gl_in.length(); ++i) {
    gl_Position = gl_in[i].gl_Position;
    color = vertexColor[i];
    EmitVertex();
  }
  EndPrimitive();
}

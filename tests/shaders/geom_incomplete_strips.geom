// SPDX-License-Identifier: MIT
// Strips that are too short make no primitive.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 8) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void corner(int i, float shade) {
  gl_Position = gl_in[i].gl_Position;
  color = vertexColor[i] * shade;
  EmitVertex();
}

void main() {
  corner(0, 0.1);
  corner(1, 0.1);
  EndPrimitive();
  EndPrimitive();
  for (int i = 0; i < 3; ++i)
    corner(i, 1.0);
  EndPrimitive();
  corner(2, 0.1);
}

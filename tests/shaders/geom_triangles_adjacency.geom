// SPDX-License-Identifier: MIT
// A triangle, and one with the neighbour at each edge.
#version 450
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 12) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void corner(int vertex, float shade) {
  gl_Position = gl_in[vertex].gl_Position;
  color = vertexColor[vertex] * shade;
  EmitVertex();
}

void main() {
  for (int i = 0; i < 6; i += 2)
    corner(i, 1.0);
  EndPrimitive();
  for (int edge = 0; edge < 6; edge += 2) {
    corner(edge, 0.75);
    corner(edge + 1, 0.25);
    corner((edge + 2) % 6, 0.75);
    EndPrimitive();
  }
}

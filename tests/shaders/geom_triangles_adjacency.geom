// SPDX-License-Identifier: MIT
// A triangle, and one with the neighbour at each edge. Neighbours lie on each other: each triangle gets a depth of its
// own, or the last bits would decide which one is seen.
#version 450
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 12) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void corner(int vertex, float shade, int layer) {
  gl_Position = gl_in[vertex].gl_Position;
  gl_Position.z = 0.5 * gl_Position.z + 0.003 * float((gl_PrimitiveIDIn * 4 + layer) & 127) * gl_Position.w;
  color = vertexColor[vertex] * shade;
  EmitVertex();
}

void main() {
  for (int i = 0; i < 6; i += 2)
    corner(i, 1.0, 0);
  EndPrimitive();
  for (int edge = 0; edge < 6; edge += 2) {
    corner(edge, 0.75, 1 + edge / 2);
    corner(edge + 1, 0.25, 1 + edge / 2);
    corner((edge + 2) % 6, 0.75, 1 + edge / 2);
    EndPrimitive();
  }
}

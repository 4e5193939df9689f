// SPDX-License-Identifier: MIT
// Vertices, elements and components of inputs at dynamic places.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 bands[][2];
layout(location = 2) in Data {
  vec3 shade;
  flat int id;
} data[];
layout(location = 0) out vec4 color;
layout(location = 1) flat out ivec2 ids;

void main() {
  int first = gl_PrimitiveIDIn % 3;
  for (int i = 0; i < 3; ++i) {
    int vertex = (first + i) % 3;
    gl_Position = gl_in[vertex].gl_Position;
    color = bands[vertex][vertex & 1];
    color.a = data[vertex].shade[first];
    ids = ivec2(data[first].id, vertex);
    EmitVertex();
  }
}

// SPDX-License-Identifier: MIT
// Vertices are emitted by functions, which store some outputs only.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void place(in int vertex, inout float shade) {
  gl_Position = gl_in[vertex].gl_Position;
  shade *= 0.75;
}

void paint(vec4 value) {
  color.rgb = value.gbr;
  color.a = value.a;
}

void emit(int vertex, inout float shade) {
  place(vertex, shade);
  paint(vertexColor[vertex] * shade);
  EmitVertex();
}

void main() {
  float shade = 1.25;
  for (int i = 0; i < 3; ++i)
    emit(i, shade);
  EndPrimitive();
}

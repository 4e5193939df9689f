// SPDX-License-Identifier: MIT
// A line with its neighbours becomes a strip through all four vertices.
#version 450
layout(lines_adjacency) in;
layout(line_strip, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 4; ++i) {
    gl_Position = gl_in[i].gl_Position;
    color = i == 0 || i == 3 ? vertexColor[i] * 0.5 : vertexColor[i];
    EmitVertex();
  }
  EndPrimitive();
}

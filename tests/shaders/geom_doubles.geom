// SPDX-License-Identifier: MIT
// Doubles as inputs.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in dvec3 fine[];
layout(location = 2) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    color = vec4(vec3(fine[i] + fine[(i + 1) % 3]) * 0.5, 1.0) + vertexColor[i] * 0.25;
    EmitVertex();
  }
}

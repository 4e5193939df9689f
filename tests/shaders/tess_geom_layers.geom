// SPDX-License-Identifier: MIT
// Two invocations render to two layers.
#version 450
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 evaluated[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = gl_InvocationID;
    color = gl_InvocationID == 0 ? evaluated[i] : evaluated[i].bgra;
    EmitVertex();
  }
}

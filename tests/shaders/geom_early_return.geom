// SPDX-License-Identifier: MIT
// Triangles that are turned away emit nothing.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec2 a = gl_in[1].gl_Position.xy - gl_in[0].gl_Position.xy;
  vec2 b = gl_in[2].gl_Position.xy - gl_in[0].gl_Position.xy;
  if (a.x * b.y - a.y * b.x < 0.0 && (gl_PrimitiveIDIn & 3) != 0)
    return;
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    color = vertexColor[i];
    EmitVertex();
    if (i == 2)
      return;
  }
}

// SPDX-License-Identifier: MIT
// Scratch memory in a geometry shader.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(set = 0, binding = 0) uniform Options { uint start; };
layout(location = 0) in vec4 evaluatedColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 colors[60];
  for (int i = 0; i < 60; ++i)
    colors[i] = evaluatedColor[i % 3] * (1.0 - float(i) * 0.002);
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    color = colors[(i + 3 * int(start)) % 60];
    EmitVertex();
  }
}

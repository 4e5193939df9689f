// SPDX-License-Identifier: MIT
// Has a loop without an end, which nothing enters, or all with ALWAYS.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;

void main() {
  vec4 sum = vec4(0.25);
#ifndef ALWAYS
  if (gl_PrimitiveIDIn < 0)
#endif
    for (;;)
      sum += sum.yzwx;
  for (int i = 0; i < 3; ++i) {
    gl_Position = vec4(i == 1 ? 0.9 : -0.8, i == 2 ? 0.7 : -0.9, 0.5, 1.0);
    color = sum * i;
    EmitVertex();
  }
}

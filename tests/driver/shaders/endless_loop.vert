// SPDX-License-Identifier: MIT
// Has a loop without an end, which nothing enters, or all with ALWAYS.
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;

void main() {
  vec4 sum = position;
#ifndef ALWAYS
  if (gl_VertexIndex < 0)
#endif
    for (;;)
      sum += position.yzwx;
  gl_Position = vec4(sum.xyz * 0.5, 1.0);
  color = sum;
}

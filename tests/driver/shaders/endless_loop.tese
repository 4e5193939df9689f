// SPDX-License-Identifier: MIT
// Has a loop without an end, which nothing enters, or all with ALWAYS.
#version 450
layout(triangles, equal_spacing) in;
layout(location = 0) out vec4 color;

void main() {
  vec4 sum = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
             gl_TessCoord.z * gl_in[2].gl_Position;
#ifndef ALWAYS
  if (gl_PrimitiveID < 0)
#endif
    for (;;)
      sum += sum.yzwx;
  gl_Position = sum;
  color = vec4(gl_TessCoord, 1.0);
}

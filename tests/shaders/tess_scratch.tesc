// SPDX-License-Identifier: MIT
// Scratch memory in the second half, of another size.
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  vec4 steps[80];
  for (int i = 0; i < 80; ++i)
    steps[i] = vertexColor[gl_InvocationID] * (0.5 + float(i) * 0.005);
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = steps[(gl_PrimitiveID * 7 + gl_InvocationID) % 80];
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter = float[4](2.0, 2.0, 2.0, 2.0);
    gl_TessLevelInner = float[2](2.0, 2.0);
  }
}

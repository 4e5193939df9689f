// SPDX-License-Identifier: MIT
// All factors of a quad, in a loop.
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID == 0) {
    for (int i = 0; i < 4; ++i)
      gl_TessLevelOuter[i] = float(2 + (gl_PrimitiveID + i) % 4);
    gl_TessLevelInner = float[2](3.0, 2.0);
  }
}

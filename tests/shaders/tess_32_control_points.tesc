// SPDX-License-Identifier: MIT
// The largest patch: 32 vertices in, 32 out.
#version 450
layout(vertices = 32) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter = float[4](3.0, 3.0, 3.0, 3.0);
    gl_TessLevelInner = float[2](3.0, 3.0);
  }
}

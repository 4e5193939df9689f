// SPDX-License-Identifier: MIT
// A patch of two vertices.
#version 450
layout(vertices = 2) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = 6.0;
  }
}

// SPDX-License-Identifier: MIT
// A patch of one vertex.
#version 450
layout(vertices = 1) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  gl_TessLevelOuter = float[4](2.0, 2.0, 2.0, 2.0);
  gl_TessLevelInner = float[2](2.0, 2.0);
}

// SPDX-License-Identifier: MIT
// A bicubic patch: positions only, colours of the corners per patch.
#version 450
layout(vertices = 16) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) patch out vec4 cornerColors[4];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  if (gl_InvocationID == 0) {
    cornerColors[0] = vertexColor[0];
    cornerColors[1] = vertexColor[3];
    cornerColors[2] = vertexColor[12];
    cornerColors[3] = vertexColor[15];
    gl_TessLevelOuter = float[4](4.0, 4.0, 4.0, 4.0);
    gl_TessLevelInner = float[2](4.0, 4.0);
  }
}

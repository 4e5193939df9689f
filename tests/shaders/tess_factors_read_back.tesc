// SPDX-License-Identifier: MIT
// Invocation 0 writes the factors, the others read them back.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 4.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 3.0;
  }
  barrier();
  float own = gl_InvocationID == 0 ? gl_TessLevelOuter[0]
              : gl_InvocationID == 1 ? gl_TessLevelOuter[1] : gl_TessLevelOuter[2];
  float sum = gl_TessLevelOuter[0] + own + gl_TessLevelInner[0];
  controlColor[gl_InvocationID].r = sum / 16.0;
}

// SPDX-License-Identifier: MIT
// Output arrays stored to at dynamic elements and components.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 bands[][3];
layout(location = 3) out vec4 parts[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  for (int i = 0; i < 3; ++i) {
    int band = (i + gl_InvocationID) % 3;
    bands[gl_InvocationID][band] = vertexColor[i] * (1.0 - 0.25 * float(i));
  }
  int order = gl_PrimitiveID & 3;
  for (int i = 0; i < 4; ++i)
    parts[gl_InvocationID][(i + order) & 3] = float(i) / 3.0;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 4.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 2.0;
  }
}

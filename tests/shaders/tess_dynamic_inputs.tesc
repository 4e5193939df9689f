// SPDX-License-Identifier: MIT
// Per-vertex inputs with dynamic vertex, element and component.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 bands[][3];
layout(location = 0) out vec4 controlColor[];

void main() {
  int vertex = (gl_InvocationID + gl_PrimitiveID) % 3;
  gl_out[gl_InvocationID].gl_Position = gl_in[vertex].gl_Position;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < gl_PatchVerticesIn; ++i)
    sum += bands[i][(i + vertex) % 3] / float(gl_PatchVerticesIn);
  sum.r = bands[vertex][2][gl_InvocationID];
  controlColor[gl_InvocationID] = sum;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 2.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 3.0;
  }
}

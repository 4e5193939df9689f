// SPDX-License-Identifier: MIT
// Three vertices in, six out: corners and middles of the edges.
#version 450
layout(vertices = 6) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  int a = gl_InvocationID % 3;
  int b = gl_InvocationID < 3 ? a : (a + 1) % 3;
  vec4 corners[] = vec4[](gl_in[0].gl_Position, gl_in[1].gl_Position, gl_in[2].gl_Position);
  vec4 colors[] = vec4[](vertexColor[0], vertexColor[1], vertexColor[2]);
  vec4 middle = (corners[a] + corners[b]) * 0.5;
  gl_out[gl_InvocationID].gl_Position = vec4(middle.xy * (a == b ? 1.0 : 1.1), middle.zw);
  controlColor[gl_InvocationID] = (colors[a] + colors[b]) * 0.5;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 4.0;
    gl_TessLevelOuter[1] = 4.0;
    gl_TessLevelOuter[2] = 4.0;
    gl_TessLevelInner[0] = 4.0;
  }
}

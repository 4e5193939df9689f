// SPDX-License-Identifier: MIT
// Factors that depend on the positions, the same in all invocations.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  float size = distance(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy);
  float factor = size > 0.5 ? 5.0 : 2.0;
  gl_TessLevelOuter[0] = factor;
  gl_TessLevelOuter[1] = 3.0;
  gl_TessLevelOuter[2] = factor + 1.0;
  gl_TessLevelInner[0] = factor;
}

// SPDX-License-Identifier: MIT
// Sixteen vertices in, four out: the corners, pulled to the middle of their neighbours.
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  int first = gl_InvocationID * 4;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i)
    sum += gl_in[first + i].gl_Position;
  gl_out[gl_InvocationID].gl_Position = mix(gl_in[first].gl_Position, sum * 0.25, 0.25);
  controlColor[gl_InvocationID] = (vertexColor[first + 3] + vertexColor[15]) * 0.5;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelOuter[3] = 3.0;
    gl_TessLevelInner[0] = 2.0;
    gl_TessLevelInner[1] = 2.0;
  }
}

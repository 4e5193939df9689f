// SPDX-License-Identifier: MIT
// A net of four by four vertices in, four out: its corners, pulled to the middle of their neighbours.
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  int corner = (gl_InvocationID % 3 == 0 ? 0 : 3) + (gl_InvocationID < 2 ? 0 : 12);
  int across = corner % 4 == 0 ? 1 : -1, down = corner < 4 ? 4 : -4;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i)
    sum += gl_in[corner + (i & 1) * across + (i >> 1) * down].gl_Position;
  gl_out[gl_InvocationID].gl_Position = mix(gl_in[corner].gl_Position, sum * 0.25, 0.25);
  controlColor[gl_InvocationID] = (vertexColor[corner] + vertexColor[15]) * 0.5;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelOuter[3] = 3.0;
    gl_TessLevelInner[0] = 2.0;
    gl_TessLevelInner[1] = 2.0;
  }
}

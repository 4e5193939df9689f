// SPDX-License-Identifier: MIT
// Invocations read each other's outputs behind a barrier.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];
layout(location = 1) out vec4 neighbour[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  barrier();
  int next = (gl_InvocationID + 1) % 3;
  vec2 edge = gl_out[next].gl_Position.xy - gl_out[gl_InvocationID].gl_Position.xy;
  neighbour[gl_InvocationID] = vec4(controlColor[next].rgb, dot(edge, edge) > 0.25 ? 1.0 : 0.5);
  barrier();
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = neighbour[0].a * 4.0;
    gl_TessLevelOuter[1] = neighbour[1].a * 4.0;
    gl_TessLevelOuter[2] = neighbour[2].a * 4.0;
    gl_TessLevelInner[0] = 3.0;
  }
}

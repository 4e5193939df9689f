// SPDX-License-Identifier: MIT
// Invocations add up what the ones before them have, in two steps with barriers.
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];
layout(location = 1) out float sums[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  float own = vertexColor[gl_InvocationID].r;
  sums[gl_InvocationID] = own;
  barrier();
  float other = gl_InvocationID >= 1 ? sums[gl_InvocationID - 1] : 0.0;
  barrier();
  sums[gl_InvocationID] = own + other;
  barrier();
  float far = gl_InvocationID >= 2 ? sums[gl_InvocationID - 2] : 0.0;
  barrier();
  sums[gl_InvocationID] = (own + other + far) * 0.25;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelOuter[3] = 3.0;
    gl_TessLevelInner[0] = 3.0;
    gl_TessLevelInner[1] = 2.0;
  }
}

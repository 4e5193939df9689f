// SPDX-License-Identifier: MIT
// Five output vertices, so that patches straddle waves; each reads all of them.
#version 450
layout(vertices = 5) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];
layout(location = 1) out float share[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID % 3].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[(gl_InvocationID + 1) % 3];
  share[gl_InvocationID] = float(gl_InvocationID + 1) / 15.0;
  barrier();
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 5; ++i)
    sum += controlColor[i] * share[i];
  barrier();
  controlColor[gl_InvocationID] = sum;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 4.0;
    gl_TessLevelInner[0] = 2.0;
  }
}

// SPDX-License-Identifier: MIT
// Arrays of the patch, each element written by another invocation; dynamic elements and components.
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) patch out vec4 corners[4];
layout(location = 4) patch out vec3 mixed;
layout(location = 5) patch out float bars[3];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  corners[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID < 3) {
    mixed[gl_InvocationID] = vertexColor[3][gl_InvocationID];
    bars[2 - gl_InvocationID] = float(gl_InvocationID) * 0.5;
  }
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 3.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 3.0;
    gl_TessLevelOuter[3] = 3.0;
    gl_TessLevelInner[0] = 2.0;
    gl_TessLevelInner[1] = 3.0;
  }
}

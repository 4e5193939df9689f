// SPDX-License-Identifier: MIT
// Arrays of the patch, each element written by another invocation, and so are the components of a vector.
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
    float component = vertexColor[3][gl_InvocationID];
    if (gl_InvocationID == 0)
      mixed.x = component;
    else if (gl_InvocationID == 1)
      mixed.y = component;
    else
      mixed.z = component;
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

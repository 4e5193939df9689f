// SPDX-License-Identifier: MIT
// Outputs of the patch: a vector, an integer, a matrix; read back behind a barrier.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];
layout(location = 1) patch out vec4 average;
layout(location = 2) patch out int number;
layout(location = 3) patch out mat3 tint;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  if (gl_InvocationID == 0) {
    average = (vertexColor[0] + vertexColor[1] + vertexColor[2]) / 3.0;
    number = gl_PrimitiveID % 7;
    tint = mat3(0.5, 0.25, 0.0, 0.0, 0.5, 0.25, 0.25, 0.0, 0.5);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 3.0;
    gl_TessLevelInner[0] = 2.0;
  }
  barrier();
  controlColor[gl_InvocationID] = mix(vertexColor[gl_InvocationID], average, 0.5);
}

// SPDX-License-Identifier: MIT
// Doubles per vertex and per patch.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out dvec2 fine[];
layout(location = 1) out vec4 controlColor[];
layout(location = 2) patch out dvec3 weights;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  fine[gl_InvocationID].x = double(vertexColor[gl_InvocationID].r);
  fine[gl_InvocationID].y = double(vertexColor[gl_InvocationID].g);
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID == 0)
    weights = dvec3(0.25lf, 0.5lf, 0.75lf);
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 2.0;
  }
}

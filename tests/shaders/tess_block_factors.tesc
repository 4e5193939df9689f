// SPDX-License-Identifier: MIT
// Factors from a uniform block, within limits.
#version 450
layout(vertices = 3) out;
layout(set = 0, binding = 0) uniform View { vec4 scale; };
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  float factor = scale.x > 0.5 ? 4.0 : 2.0;
  gl_TessLevelOuter = float[4](factor, factor, factor, factor);
  gl_TessLevelInner = float[2](factor, factor);
}

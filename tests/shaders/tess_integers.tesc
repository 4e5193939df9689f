// SPDX-License-Identifier: MIT
// Integers per vertex and per patch.
#version 450
layout(vertices = 3) out;
layout(location = 0) in ivec3 signs[];
layout(location = 1) in uint bits[];
layout(location = 2) in vec2 shade[];
layout(location = 0) out ivec4 whole[];
layout(location = 1) out vec2 controlShade[];
layout(location = 2) patch out uvec2 all;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  whole[gl_InvocationID] = ivec4(signs[gl_InvocationID], int(bits[gl_InvocationID]));
  controlShade[gl_InvocationID] = shade[gl_InvocationID];
  if (gl_InvocationID == 0) {
    all.x = bits[0] | bits[1] | bits[2];
    all.y = bits[0] ^ bits[1] ^ bits[2];
  }
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 2.0;
    gl_TessLevelOuter[2] = 2.0;
    gl_TessLevelInner[0] = 3.0;
  }
}

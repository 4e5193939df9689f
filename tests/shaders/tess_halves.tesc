// SPDX-License-Identifier: MIT
// Inputs and outputs of 16 bits, of vertices and of the patch.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(vertices = 3) out;
layout(location = 0) in f16vec3 height[];
layout(location = 0) out f16vec3 outHeight[];
layout(location = 1) patch out u16vec2 id;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  outHeight[gl_InvocationID] = height[gl_InvocationID].zyx;
  id = u16vec2(gl_PrimitiveID, 9);
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;
  gl_TessLevelInner[0] = 2.0;
}

// SPDX-License-Identifier: MIT
// Arrays of blocks in and out.
#version 450
layout(vertices = 3) out;
layout(location = 1) in Vertex {
  vec4 color;
  vec2 uv[2];
  flat int id;
} vertices[];
layout(location = 0) out Control {
  vec3 color;
  flat int id;
  vec2 uv[2];
} controls[];

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controls[gl_InvocationID].color = vertices[gl_InvocationID].color.rgb;
  controls[gl_InvocationID].id = vertices[gl_InvocationID].id;
  controls[gl_InvocationID].uv = vertices[gl_InvocationID].uv;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 2.0;
    gl_TessLevelOuter[2] = 3.0;
    gl_TessLevelInner[0] = 2.0;
  }
}

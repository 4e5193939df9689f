// SPDX-License-Identifier: MIT
// Arrays of blocks in, a flat integer out.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in Control {
  vec3 color;
  flat int id;
  vec2 uv[2];
} controls[];
layout(location = 0) out vec4 color;
layout(location = 1) flat out int id;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color.rgb = controls[0].color * c.x + controls[1].color * c.y + controls[2].color * c.z;
  color.a = 0.5 + 0.25 * (controls[0].uv[1].x + controls[1].uv[0].y);
  id = controls[0].id;
}

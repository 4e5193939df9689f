// SPDX-License-Identifier: MIT
// Integers of control points and of the patch.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in ivec4 whole[];
layout(location = 1) in vec2 controlShade[];
layout(location = 2) patch in uvec2 all;
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  vec2 s = controlShade[0] * c.x + controlShade[1] * c.y + controlShade[2] * c.z;
  ivec3 sum = whole[0].xyz + whole[1].xyz + whole[2].xyz;
  color = vec4(s * 0.5 + vec2(sum.xy + 3) / 12.0, float(all.x) / 255.0, float(all.y & 15u) / 15.0);
}

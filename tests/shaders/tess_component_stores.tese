// SPDX-License-Identifier: MIT
// Two inputs share a location.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec3 rgb[];
layout(location = 0, component = 3) in float alpha[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color.rgb = rgb[0] * c.x + rgb[1] * c.y + rgb[2] * c.z;
  color.a = alpha[0] * c.x + alpha[1] * c.y + alpha[2] * c.z;
}

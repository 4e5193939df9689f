// SPDX-License-Identifier: MIT
// Points of triangles: corners are interpolated.
#version 450
layout(triangles, equal_spacing, point_mode) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  gl_PointSize = 3.0;
}

// SPDX-License-Identifier: MIT
// Reads arrays of the control points.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec4 bands[][3];
layout(location = 3) in vec4 parts[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = bands[0][1] * c.x + bands[1][2] * c.y + bands[2][0] * c.z;
  color = mix(color, parts[0] * c.x + parts[1] * c.y + parts[2] * c.z, 0.25);
}

// SPDX-License-Identifier: MIT
// Shows what invocations saw of each other.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 1) in vec4 neighbour[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  vec4 own = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  vec4 next = neighbour[0] * c.x + neighbour[1] * c.y + neighbour[2] * c.z;
  color = mix(own, next, 0.5);
}

// SPDX-License-Identifier: MIT
// Doubles as inputs.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in dvec2 fine[];
layout(location = 1) in vec4 controlColor[];
layout(location = 2) patch in dvec3 weights;
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  dvec2 sum = fine[0] * weights.x + fine[1] * weights.y + fine[2] * weights.z;
  color = vec4(vec2(sum) * 0.5, controlColor[0].b * c.x + controlColor[1].b * c.y, 1.0);
}

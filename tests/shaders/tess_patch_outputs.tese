// SPDX-License-Identifier: MIT
// Inputs of the patch.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 1) patch in vec4 average;
layout(location = 2) patch in int number;
layout(location = 3) patch in mat3 tint;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  color = vec4(tint * color.rgb, average.a) + float(number) / 14.0;
}

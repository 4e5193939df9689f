// SPDX-License-Identifier: MIT
// A quadratic patch of six control points.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  vec3 corner = c * c;
  vec3 edge = 2.0 * c * c.yzx;
  gl_Position = vec4(0.0);
  color = vec4(0.0);
  for (int i = 0; i < 3; ++i) {
    gl_Position += gl_in[i].gl_Position * corner[i] + gl_in[i + 3].gl_Position * edge[i];
    color += controlColor[i] * corner[i] + controlColor[i + 3] * edge[i];
  }
}

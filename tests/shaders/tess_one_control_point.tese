// SPDX-License-Identifier: MIT
// A square around one control point.
#version 450
layout(quads, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = gl_in[0].gl_Position;
  gl_Position = vec4(center.xy + (gl_TessCoord.xy - 0.5) * 0.2 * center.w, center.zw);
  color = controlColor[0] * (0.5 + 0.5 * gl_TessCoord.x);
}

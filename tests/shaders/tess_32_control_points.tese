// SPDX-License-Identifier: MIT
// Reads all 32 control points, at dynamic places.
#version 450
layout(quads, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 low = vec4(0.0), high = vec4(0.0), sum = vec4(0.0);
  for (int i = 0; i < 16; ++i) {
    low += gl_in[i].gl_Position / 16.0;
    high += gl_in[31 - i].gl_Position / 16.0;
    sum += controlColor[2 * i] / 16.0;
  }
  vec2 c = gl_TessCoord.xy - 0.5;
  gl_Position = mix(low, high, gl_TessCoord.x) + vec4(0.3 * c.y, 0.5 * c.x, 0.0, 0.0) * low.w;
  color = sum;
}

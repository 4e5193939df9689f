// SPDX-License-Identifier: MIT
// A quad of four control points.
#version 450
layout(quads, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec2 c = gl_TessCoord.xy;
  vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, c.x);
  vec4 high = mix(gl_in[3].gl_Position, gl_in[2].gl_Position, c.x);
  gl_Position = mix(low, high, c.y);
  color = mix(mix(controlColor[0], controlColor[1], c.x), mix(controlColor[3], controlColor[2], c.x), c.y);
}

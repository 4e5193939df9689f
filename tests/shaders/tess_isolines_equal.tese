// SPDX-License-Identifier: MIT
// Isolines with equal spacing: corners are interpolated.
#version 450
layout(isolines, equal_spacing) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec2 c = gl_TessCoord.xy;
  vec4 start = mix(gl_in[0].gl_Position, gl_in[2].gl_Position, c.y);
  vec4 end = mix(gl_in[1].gl_Position, gl_in[3].gl_Position, c.y);
  gl_Position = mix(start, end, c.x);
  color = mix(controlColor[0], controlColor[3], c.x) * (1.0 - 0.5 * c.y);
}

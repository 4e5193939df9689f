// SPDX-License-Identifier: MIT
// Scratch memory in front of a geometry shader.
#version 450
layout(quads, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 evaluatedColor;

void main() {
  vec4 colors[64];
  for (int i = 0; i < 64; ++i)
    colors[i] = controlColor[i % 4] * (0.9 + float(i) * 0.001);
  vec2 c = gl_TessCoord.xy;
  vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, c.x);
  vec4 high = mix(gl_in[3].gl_Position, gl_in[2].gl_Position, c.x);
  gl_Position = mix(low, high, c.y);
  evaluatedColor = colors[int(c.x * 8.0 + 0.5) * 4 + int(c.y * 8.0 + 0.5)];
}

// SPDX-License-Identifier: MIT
// A bent line between two control points.
#version 450
layout(isolines, equal_spacing) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  float u = gl_TessCoord.x;
  gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, u);
  gl_Position.y += 0.25 * u * (1.0 - u) * gl_Position.w;
  color = mix(controlColor[0], controlColor[1], u);
}

// SPDX-License-Identifier: MIT
// Positions and colours of a vertex shader come from tables.
#version 450
layout(location = 0) out vec3 shade;
const vec2 Corners[6] = vec2[](vec2(-0.9, -0.8), vec2(0.7, -0.6), vec2(-0.5, 0.95), vec2(0.85, -0.3), vec2(0.6, 0.65), vec2(-0.4, 0.3));
const vec3 Shades[6] = vec3[](vec3(1, 0.2, 0.1), vec3(0.3, 0.9, 0.2), vec3(0.4, 0.1, 0.8), vec3(0.7, 0.6, 0.5), vec3(0.15, 0.25, 0.35),
                              vec3(0.95, 0.85, 0.05));
void main() {
  gl_Position = vec4(Corners[gl_VertexIndex % 6], 0.5, 1);
  shade = Shades[gl_VertexIndex % 6];
}

// SPDX-License-Identifier: MIT
// Arrays of the patch, read at dynamic places.
#version 450
layout(quads, equal_spacing, ccw) in;
layout(location = 0) patch in vec4 corners[4];
layout(location = 4) patch in vec3 mixed;
layout(location = 5) patch in float bars[3];
layout(location = 0) out vec4 color;

void main() {
  vec2 c = gl_TessCoord.xy;
  vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, c.x);
  gl_Position = mix(low, mix(gl_in[3].gl_Position, gl_in[2].gl_Position, c.x), c.y);
  int corner = int(c.x * 1.99) + 2 * int(c.y * 1.99);
  color = corners[corner] * 0.5 + vec4(mixed * 0.25, bars[corner % 3] * 0.5);
}

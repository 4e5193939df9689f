// SPDX-License-Identifier: MIT
// A bicubic Bezier surface.
#version 450
layout(quads, fractional_odd_spacing, ccw) in;
layout(location = 0) patch in vec4 cornerColors[4];
layout(location = 0) out vec4 color;

vec4 weights(float t) {
  float s = 1.0 - t;
  return vec4(s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
}

void main() {
  vec4 u = weights(gl_TessCoord.x), v = weights(gl_TessCoord.y);
  vec4 sum = vec4(0.0);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      sum += gl_in[row * 4 + column].gl_Position * (u[column] * v[row]);
  gl_Position = sum;
  vec4 low = mix(cornerColors[0], cornerColors[1], gl_TessCoord.x);
  color = mix(low, mix(cornerColors[2], cornerColors[3], gl_TessCoord.x), gl_TessCoord.y);
}

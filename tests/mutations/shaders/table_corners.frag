// SPDX-License-Identifier: MIT
// A table in the fragment shader too: the image has constants of two stages.
#version 450
layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 color;
const float Gamma[8] = float[](0.5, 0.8, 1.1, 1.3, 1.7, 2.2, 2.4, 3.1);
void main() {
  color = vec4(shade * Gamma[int(gl_FragCoord.x) & 7], Gamma[int(gl_FragCoord.y) & 7]);
}

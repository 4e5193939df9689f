// SPDX-License-Identifier: MIT
// Shows what is captured.
#version 450
layout(location = 0) in vec4 shade;
layout(location = 1) in vec2 place;
layout(location = 2) in Captured {
  mat2 turn;
  float values[2];
  vec3 kept;
} captured;
layout(location = 0) out vec4 target;

void main() { target = vec4(mix(shade.rgb, captured.kept, 0.5), 0.5 + 0.5 * place.x); }

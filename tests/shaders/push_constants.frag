// SPDX-License-Identifier: MIT
// Push constants of several types, dynamically indexed.
#version 450
layout(push_constant) uniform Constants {
  vec4 colors[4];
  int selected;
  float gain;
  mat2 mixing;
};
layout(location = 0) out vec4 target;

void main() { target = colors[selected & 3] * gain + vec4(mixing * colors[0].xy, 0.0, 1.0); }

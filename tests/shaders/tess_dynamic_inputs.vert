// SPDX-License-Identifier: MIT
// A vertex of a patch with an array of colours.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 bands[3];

void main() {
  gl_Position = position;
  bands[0] = color;
  bands[1] = color.gbra;
  bands[2] = color.brga * 0.5;
}

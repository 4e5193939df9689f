// SPDX-License-Identifier: MIT
// A vertex with doubles.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) flat out dvec3 fine;
layout(location = 2) out vec4 vertexColor;

void main() {
  gl_Position = position;
  fine = dvec3(color.rgb) * 0.5lf;
  vertexColor = color;
}

// SPDX-License-Identifier: MIT
// A vertex of a primitive: position and colour.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;

void main() {
  gl_Position = position;
  vertexColor = color;
}

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 0) flat out vec4 shade;
layout(push_constant) uniform Constants { vec4 color; };
void main() {
  gl_Position = position;
  shade = color;
}

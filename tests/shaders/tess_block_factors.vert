// SPDX-License-Identifier: MIT
// A vertex of a patch; its colour depends on a uniform block.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;
layout(set = 0, binding = 0) uniform View { vec4 scale; };

void main() {
  gl_Position = position;
  vertexColor = color * 0.5 + clamp(scale, 0.0, 0.5);
}

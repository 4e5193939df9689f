// SPDX-License-Identifier: MIT
// A vertex of a primitive: position and texture coordinates.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec2 vertexUv;

void main() {
  gl_Position = position;
  vertexUv = uv;
}

// SPDX-License-Identifier: MIT
// A textured triangle: the least that a game draws with.
#version 450
layout(set = 0, binding = 0) uniform Camera { mat4 viewProjection; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec2 texCoord;

void main() {
  texCoord = uv;
  gl_Position = viewProjection * vec4(position, 1.0);
}

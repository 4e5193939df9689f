// SPDX-License-Identifier: MIT
// Fur: each triangle is drawn again in shells above itself.
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec3 objectNormal;
layout(location = 1) out vec2 texCoord;

void main() {
  objectNormal = normal;
  texCoord = uv;
  gl_Position = vec4(position, 1.0);
}

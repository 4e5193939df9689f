// SPDX-License-Identifier: MIT
// Terrain: patches are divided by their distance and displaced by a height map.
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec2 patchUv;

void main() {
  patchUv = uv;
  gl_Position = vec4(position, 1.0);
}

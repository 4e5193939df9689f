// SPDX-License-Identifier: MIT
// Output blocks, nested arrays of outputs and a passed-on structure.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 uvs[2];
layout(location = 0) out Block {
  vec3 normal;
  vec2 uv[2];
  flat int id;
} block;
layout(location = 5) out vec4 corners[2];

void main() {
  gl_Position = position;
  block.normal = position.xyz * 0.5;
  block.uv[0] = uvs[0];
  block.uv[1] = uvs[1] * 2.0;
  block.id = gl_VertexIndex;
  corners[0] = position.wzyx;
  corners[1] = position.yyyy;
}

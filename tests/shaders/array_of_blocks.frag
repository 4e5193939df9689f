// SPDX-License-Identifier: MIT
// Input blocks with arrays, indexed by variables.
#version 450
layout(location = 0) in Block {
  vec3 normal;
  vec2 uv[2];
  flat int id;
} block;
layout(location = 5) in vec4 corners[2];
layout(location = 0) out vec4 target;

void main() { target = vec4(block.normal.xy, block.uv[block.id & 1]) + corners[(block.id >> 1) & 1]; }

// SPDX-License-Identifier: MIT
// A vertex of a patch with integers.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) flat out ivec3 signs;
layout(location = 1) flat out uint bits;
layout(location = 2) out vec2 shade;

void main() {
  gl_Position = position;
  signs = ivec3(sign(position.xyz));
  bits = uint(gl_VertexIndex) * 37u & 0xffu;
  shade = color.rg;
}

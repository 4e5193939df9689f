// SPDX-License-Identifier: MIT
// Signed and unsigned integer vertex inputs passed on flat.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in int a;
layout(location = 2) in ivec3 b;
layout(location = 3) in uint c;
layout(location = 4) in uvec4 d;
layout(location = 0) flat out ivec4 signedSum;
layout(location = 1) flat out uvec2 unsignedSum;

void main() {
  gl_Position = position;
  signedSum = ivec4(b, a);
  unsignedSum = d.xy + uvec2(c, d.w);
}

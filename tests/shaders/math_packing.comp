// SPDX-License-Identifier: MIT
// Packing and unpacking functions.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  vec4 f[64];
  uint u[64];
};

void main() {
  uint i = gl_LocalInvocationIndex;
  vec4 v = f[i];
  uint p = packUnorm2x16(v.xy) ^ packSnorm2x16(v.zw) ^ packUnorm4x8(v) ^ packSnorm4x8(v.wzyx) ^ packHalf2x16(v.xz);
  f[i] = unpackUnorm4x8(p) + unpackSnorm4x8(p) + vec4(unpackUnorm2x16(p), unpackSnorm2x16(p)) + unpackHalf2x16(p).xyxy;
  u[i] = p;
}

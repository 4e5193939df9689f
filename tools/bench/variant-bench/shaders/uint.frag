// SPDX-License-Identifier: MIT
#version 450
layout(set = 0, binding = 0) uniform usampler2D masks;
layout(location = 0) flat in uvec2 packed;
layout(location = 0) out uvec4 target;

void main() {
  uint mask = texelFetch(masks, ivec2(gl_FragCoord.xy), 0).r;
  uint object = packed.x ^ (mask << 7);
  target = uvec4(object & 0xffffu, object >> 16, packed.y & 0xffu, bitfieldExtract(packed.y, 8, 8) | (mask & 1u));
}

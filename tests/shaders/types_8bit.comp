// SPDX-License-Identifier: MIT
// 8-bit integers: storage, arithmetic, conversion, vectors.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  uint8_t bytes[256];
  i8vec4 vectors[64];
  int8_t signed_;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint8_t b = bytes[i];
  bytes[i] = uint8_t(b * uint8_t(3) + uint8_t(i)) >> uint8_t(1);
  i8vec4 v = vectors[i & 63u];
  vectors[i & 63u] = -v + i8vec4(int8_t(b)) * v.wzyx;
  if (v.x < signed_)
    bytes[i + 64u] = uint8_t(int(v.x) / 3);
}

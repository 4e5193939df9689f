// SPDX-License-Identifier: MIT
// 16-bit floats and integers: arithmetic, comparison, conversion, functions, vectors.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  f16vec4 halves[64];
  i16vec2 shorts[64];
  uint16_t counts[64];
  f16mat3 turn;
};

void main() {
  uint i = gl_LocalInvocationIndex;
  f16vec4 h = halves[i];
  h = fma(h, h, h.wzyx) + sqrt(abs(h)) + mix(h, h.yxwz, 0.5hf) + clamp(h, -1.0hf, 1.0hf);
  h.xyz = turn * normalize(h.xyz);
  h.w = dot(h.xyz, h.zyx) + float16_t(exp2(h.x));
  halves[i] = h;
  i16vec2 s = shorts[i];
  shorts[i] = s / i16vec2(3s) + (s << i16vec2(2s)) % i16vec2(7s) + i16vec2(h.xy);
  counts[i] = uint16_t(max(counts[i], uint16_t(s.x))) ^ uint16_t(0x55);
}

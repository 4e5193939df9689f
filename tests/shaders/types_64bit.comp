// SPDX-License-Identifier: MIT
// Doubles and 64-bit integers: arithmetic, comparison, conversion, packing, matrices.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  dvec2 d[64];
  int64_t s[64];
  uint64_t u[64];
  dmat3 m;
};

void main() {
  uint i = gl_LocalInvocationIndex;
  dvec2 x = d[i];
  x = sqrt(abs(x)) + floor(x) * fract(x) + mix(x, x.yx, 0.25LF) + min(x, x.yx) / max(x, dvec2(1.0LF));
  x += inversesqrt(abs(x) + 1.0LF) + mod(x, 3.0LF) + normalize(x) * length(x) + dvec2(m * dvec3(x, 1.0LF));
  x.x += unpackDouble2x32(packDouble2x32(uvec2(i, 7u))  == 0.0LF ? packDouble2x32(uvec2(1u)) : x.y).y;
  d[i] = fma(x, x, x);
  int64_t a = s[i];
  s[i] = a * 3L - a / (abs(a) + 1L) + (a >> 5) + int64_t(x.x);
  uint64_t b = u[i];
  u[i] = (b << 7) | (b % (b | 1UL)) ^ uint64_t(uint(a)) + packUint2x32(uvec2(i, unpackUint2x32(b).y));
  if (a < 0L && b > 100UL)
    u[i] += uint64_t(double(b) * 0.5LF);
}

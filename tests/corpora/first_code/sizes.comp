// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require

// Integers of 8, 16 and 64 bits, halves and doubles: arithmetic, comparisons, conversions, packing, and indices that are
// computed.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Numbers { uint numbers[]; };

uint ofNarrow(uint n) {
  uint8_t b = uint8_t(n);
  int8_t c = int8_t(n >> 8);
  uint16_t s = uint16_t(n >> 4);
  int16_t t = int16_t(n >> 12);
  int16_t sum = int16_t(t * int16_t(c) - int16_t(b));
  uint result = uint(b / uint8_t(7)) + uint(s % uint16_t(10)) + uint(int(c >> 2)) + uint(int(sum >> 3));
  result ^= uint(max(s, uint16_t(b))) << 3 ^ uint(int(min(t, sum))) ^ uint(int(abs(c)));
  u8vec4 bytes = unpack8(n * 3u);
  result += uint(bytes[n & 3u]) + pack32(u16vec2(s, uint16_t(bytes.w)));
  return c < int8_t(sum) ? result : ~result;
}

uint ofWide(uint n, uint m) {
  uint64_t a = uint64_t(n) << 20 | uint64_t(m);
  int64_t b = int64_t(a * 0x9e3779b97f4a7c15ul) - int64_t(n);
  uint64_t c = a << (m & 63u) ^ a >> (n & 63u) ^ uint64_t(b >> (m & 31u));
  c += uint64_t(b / 4l) + uint64_t(b % 16l) + a / 32ul;
  c ^= b < int64_t(a) ? uint64_t(abs(b)) : max(a, c);
  return uint(c) ^ uint(c >> 32);
}

uint ofDoubles(uint n, uint m) {
  precise double a = double(n) * 0.25lf + double(int(m)), b = double(m | 1u);
  precise double c = fma(a, b, -a) - floor(a * 0.375lf);
  c = mix(c, -c, a < b);
  uvec2 bits = unpackDouble2x32(c * 1.5lf);
  // Quotients and roots need not be exact.
  double quotient = a / b, root = sqrt(abs(a));
  uint isNear = abs(quotient * b - a) <= 1e-9lf * abs(a) && abs(root * root - abs(a)) <= 1e-9lf * abs(a) ? 1u : 0u;
  return bits.x ^ bits.y ^ uint(int(clamp(c, -1e6lf, 1e6lf))) ^ floatBitsToUint(float(c)) ^ isNear;
}

uint ofHalves(uint n) {
  f16vec2 h = unpackFloat2x16(n & 0x3bff3bffu);
  precise float16_t product = h.x * h.y + float16_t(0.5);
  precise f16vec4 all = f16vec4(h, product, float16_t(int(n & 255u)));
  all = max(all, -all.wzyx) - floor(all);
  float16_t one = all[(n >> 5) & 3u];
  return packFloat2x16(all.xy) ^ packFloat2x16(all.zw) ^ floatBitsToUint(float(one)) ^ (product > one ? 77u : 0u);
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint n = numbers[i], m = numbers[i + 64u];
  uint result = ofNarrow(n) + ofWide(n, m);
  result = result * 31u + ofDoubles(n, m);
  result = result * 31u + ofHalves(m);
  numbers[i] = result;
}

// SPDX-License-Identifier: MIT
// Bit-field functions and extended integer arithmetic.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  ivec2 s[64];
  uvec2 u[64];
};

void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 a = s[i];
  uvec2 b = u[i];
  int offset = int(i & 15u);
  ivec2 x = bitfieldExtract(a, offset, 7) + bitfieldInsert(a, a.yx, 3, offset) + bitfieldReverse(a) + bitCount(a);
  x += findLSB(a) + findMSB(a) + findLSB(b) + findMSB(b);
  uvec2 y = bitfieldExtract(b, 4, offset) + bitfieldInsert(b, b.yx, offset, 8) + bitfieldReverse(b);
  uvec2 carry, borrow, high, low;
  y += uaddCarry(b, y, carry);
  y += usubBorrow(b, y, borrow);
  umulExtended(b, y, high, low);
  ivec2 signedHigh, signedLow;
  imulExtended(a, x, signedHigh, signedLow);
  s[i] = x + signedHigh - signedLow + (~a & 0xffff) % 7 + (-a) / 5;
  u[i] = y + carry + borrow + high - low + b / 3u + b % 5u + (b >> 3) + uvec2(offset << 2);
}

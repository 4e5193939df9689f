// SPDX-License-Identifier: MIT
// Every conversion between 32-bit scalar types, bit casts, booleans and vectors of them.
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data {
  vec4 f;
  ivec4 i;
  uvec4 u;
  bvec4 b;
};

void main() {
  vec4 x = vec4(i) + vec4(u) + vec4(b);
  ivec4 y = ivec4(f) + ivec4(u) + ivec4(b);
  uvec4 z = uvec4(f) + uvec4(i) + uvec4(b);
  x += intBitsToFloat(y) + uintBitsToFloat(z);
  y ^= floatBitsToInt(f);
  z ^= floatBitsToUint(f);
  b = not(bvec4(y)) ;
  bvec4 c = lessThan(x, f);
  if (any(c) && !all(equal(y, i)) ^^ c.x)
    x = mix(x, f, c);
  f = x;
  i = mix(y, i, notEqual(z, u));
  u = z;
}

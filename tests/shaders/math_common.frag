// SPDX-License-Identifier: MIT
// GLSL.std.450: rounding, sign, minimum, maximum, clamping, mixing, steps, splitting.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 2) flat in ivec4 s;
layout(location = 3) flat in uvec4 u;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 integers;

void main() {
  vec4 r = round(a) + roundEven(a) + trunc(a) + floor(a) + ceil(a) + fract(a) + abs(a) + sign(a);
  vec4 low = min(a, b), high = max(a, b);
  r += low + high + clamp(b, min(a.x, a.y), max(a.x, a.y)) + mix(a, b, 0.25) + mix(a, b, b) + step(a, b);
  r += clamp(a, low.yxwz, low.yxwz + 0.25) + smoothstep(low, high + 0.125, a * b);
  r += mod(a, b) + mod(a, 2.0) + fma(a, b, a);
  vec4 whole;
  r += modf(a, whole);
  r -= whole;
  ivec4 exponents;
  r += frexp(a, exponents);
  r += ldexp(b, exponents);
  r += vec4(isnan(a)) + vec4(isinf(b));
  integers = abs(s) + sign(s) + min(s, s.yxwz) + max(s, exponents) + clamp(s, -5, 9);
  integers += ivec4(min(u, u.wzyx) + max(u, 3u) + clamp(u, 1u, 7u));
  target = r;
}

// SPDX-License-Identifier: MIT
// GLSL.std.450: angles, trigonometric and hyperbolic functions.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 target;

void main() {
  vec4 r = radians(a) + degrees(b) + sin(a) + cos(a) + tan(a) + asin(a) + acos(a) + atan(a) + atan(a, b);
  r += sinh(a) + cosh(a) + tanh(a) + asinh(a) + acosh(b) + atanh(a);
  r.x += sin(a.x) * atan(b.y) + acos(b.z);
  target = r;
}

// SPDX-License-Identifier: MIT
// GLSL.std.450: powers, exponentials, logarithms, roots.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 target;

void main() {
  vec4 r = pow(a, b) + exp(a) + log(b) + exp2(a) + log2(b) + sqrt(a) + inversesqrt(b);
  r.w += pow(a.x, 2.2) + exp(-a.y * a.y);
  target = r;
}

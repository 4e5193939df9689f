// SPDX-License-Identifier: MIT
// Coarse and fine derivatives and fwidth of scalars and vectors.
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  vec4 q = sin(p * 7.0);
  target = dFdx(q) + dFdy(q) + dFdxFine(q) + dFdyFine(q) + dFdxCoarse(q) + dFdyCoarse(q);
  target.xy += fwidth(q.xy) + fwidthFine(q.zw) + vec2(fwidthCoarse(q.x));
}

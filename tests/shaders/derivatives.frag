// SPDX-License-Identifier: MIT
// Coarse and fine derivatives and fwidth of scalars and vectors. The coarse ones are of what is linear in the window,
// where every implementation's choice of neighbours gives the same.
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  vec4 q = sin(p * 7.0);
  vec4 linear = vec4(0.25, 0.5, 0.125, 1.0) * gl_FragCoord.x + vec4(0.5, 0.25, 0.375, 0.125) * gl_FragCoord.y;
  target = dFdx(q) + dFdy(q) + dFdxFine(q) + dFdyFine(q) + dFdxCoarse(linear) + dFdyCoarse(linear) * 0.5;
  target.xy += fwidth(q.xy) + fwidthFine(q.zw) + vec2(fwidthCoarse(linear.x));
}

// SPDX-License-Identifier: MIT
// Sampling with explicit gradients, and with gradients and offsets.
#version 450
layout(set = 0, binding = 0) uniform sampler2D t2;
layout(set = 0, binding = 1) uniform samplerCube tc;
layout(set = 0, binding = 2) uniform sampler3D t3;
layout(set = 0, binding = 3) uniform sampler1DArray t1a;
layout(set = 0, binding = 4) uniform sampler2DArrayShadow s2a;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  vec3 dx = dFdx(p.xyz) * 2.0;
  vec3 dy = dFdy(p.xyz) * 2.0;
  target = textureGrad(t2, p.xy, dx.xy, dy.xy) + textureGrad(tc, p.xyz, dx, dy) + textureGrad(t3, p.xyz, dx, dy);
  target += textureGrad(t1a, p.xy, dx.x, dy.x) + textureGradOffset(t2, p.xy, dx.xy, dy.xy, ivec2(1, -2));
  target *= textureGrad(s2a, p, dx.xy, dy.xy);
}

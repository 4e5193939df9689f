// SPDX-License-Identifier: MIT
// texelFetch from every dimension, multisampled images and texel buffers.
#version 450
layout(set = 0, binding = 0) uniform sampler1D t1;
layout(set = 0, binding = 1) uniform sampler2D t2;
layout(set = 0, binding = 2) uniform sampler3D t3;
layout(set = 0, binding = 3) uniform sampler1DArray t1a;
layout(set = 0, binding = 4) uniform sampler2DArray t2a;
layout(set = 0, binding = 5) uniform sampler2DMS tm;
layout(set = 0, binding = 6) uniform sampler2DMSArray tma;
layout(set = 0, binding = 7) uniform samplerBuffer tb;
layout(set = 0, binding = 8) uniform usamplerBuffer tub;
layout(set = 0, binding = 9) uniform texture2D separate;
layout(location = 0) flat in ivec4 p;
layout(location = 0) out vec4 target;

void main() {
  target = texelFetch(t1, p.x, 0) + texelFetch(t2, p.xy, p.w) + texelFetch(t3, p.xyz, 1);
  target += texelFetch(t1a, p.xy, 0) + texelFetch(t2a, p.xyz, 2);
  target += texelFetch(tm, p.xy, 3) + texelFetch(tma, p.xyz, p.w);
  target += texelFetch(tb, p.x) + vec4(texelFetch(tub, p.y));
}

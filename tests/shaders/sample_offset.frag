// SPDX-License-Identifier: MIT
// Constant texel offsets with every kind of sampling.
#version 450
layout(set = 0, binding = 0) uniform sampler2D t2;
layout(set = 0, binding = 1) uniform sampler3D t3;
layout(set = 0, binding = 2) uniform sampler1DArray t1a;
layout(set = 0, binding = 3) uniform sampler2DShadow s2;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  target = textureOffset(t2, p.xy, ivec2(-8, 7)) + textureOffset(t2, p.xy, ivec2(1, 1), p.w);
  target += textureOffset(t3, p.xyz, ivec3(1, -1, 2)) + textureLodOffset(t2, p.xy, 1.5, ivec2(2, 3));
  target += textureOffset(t1a, p.xy, 3) + texelFetchOffset(t2, ivec2(p.xy), 0, ivec2(1, 2));
  target *= textureOffset(s2, p.xyz, ivec2(0, 1));
}

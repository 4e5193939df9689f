// SPDX-License-Identifier: MIT
// Projective sampling in all its forms.
#version 450
layout(set = 0, binding = 0) uniform sampler1D t1;
layout(set = 0, binding = 1) uniform sampler2D t2;
layout(set = 0, binding = 2) uniform sampler3D t3;
layout(set = 0, binding = 3) uniform sampler2DShadow s2;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  target = textureProj(t1, p.xy) + textureProj(t1, p) + textureProj(t2, p.xyz) + textureProj(t2, p) + textureProj(t3, p);
  target += textureProj(t2, p, 0.5) + textureProjLod(t2, p.xyz, 1.0) + textureProjOffset(t2, p, ivec2(3, 4));
  target += textureProjGrad(t2, p, p.xy, p.zw) + textureProjLodOffset(t3, p, 0.0, ivec3(1, 2, 3));
  target *= textureProj(s2, p) + textureProjLod(s2, p, 0.0);
}

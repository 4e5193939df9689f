// SPDX-License-Identifier: MIT
// Depth comparison with every dimension that has it.
#version 450
layout(set = 0, binding = 0) uniform sampler1DShadow s1;
layout(set = 0, binding = 1) uniform sampler2DShadow s2;
layout(set = 0, binding = 2) uniform samplerCubeShadow sc;
layout(set = 0, binding = 3) uniform sampler2DArrayShadow s2a;
layout(set = 0, binding = 4) uniform samplerCubeArrayShadow sca;
layout(set = 0, binding = 5) uniform sampler1DArrayShadow s1a;
layout(location = 0) in vec4 p;
layout(location = 0) out float target;

void main() {
  target = texture(s1, p.xyz) + texture(s2, p.xyz) + texture(sc, p) + texture(s2a, p) + texture(sca, p, 0.5);
  target += texture(s1a, p.xyz) + textureLod(s2, p.xyz, 0.0) + texture(s2, p.xyz, 1.0);
}

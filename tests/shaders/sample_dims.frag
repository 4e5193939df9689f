// SPDX-License-Identifier: MIT
// Implicit sampling of every dimension of sampled image.
#version 450
layout(set = 0, binding = 0) uniform sampler1D t1;
layout(set = 0, binding = 1) uniform sampler2D t2;
layout(set = 0, binding = 2) uniform sampler3D t3;
layout(set = 0, binding = 3) uniform samplerCube tc;
layout(set = 0, binding = 4) uniform sampler1DArray t1a;
layout(set = 0, binding = 5) uniform sampler2DArray t2a;
layout(set = 0, binding = 6) uniform samplerCubeArray tca;
layout(set = 0, binding = 7) uniform isampler2D ti;
layout(set = 0, binding = 8) uniform usampler3D tu;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  vec4 sum = texture(t1, p.x) + texture(t2, p.xy) + texture(t3, p.xyz) + texture(tc, p.xyz);
  sum += texture(t1a, p.xy) + texture(t2a, p.xyz) + texture(tca, p);
  target = sum + vec4(texture(ti, p.yz)) + vec4(texture(tu, p.zyx));
}

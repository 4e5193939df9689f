// SPDX-License-Identifier: MIT
// Sampling with bias and with explicit level of detail.
#version 450
layout(set = 0, binding = 0) uniform sampler2D t2;
layout(set = 0, binding = 1) uniform samplerCube tc;
layout(set = 0, binding = 2) uniform sampler2DArray t2a;
layout(set = 0, binding = 3) uniform sampler1D t1;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  target = texture(t2, p.xy, p.w) + texture(tc, p.xyz, -1.0) + texture(t1, p.x, 0.5);
  target += textureLod(t2, p.xy, p.z) + textureLod(tc, p.xyz, 2.0) + textureLod(t2a, p.xyz, 0.0) + textureLod(t1, p.y, 1.0);
}

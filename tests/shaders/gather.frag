// SPDX-License-Identifier: MIT
// textureGather of each component, with offsets, four offsets and depth comparison.
#version 450
layout(set = 0, binding = 0) uniform sampler2D t2;
layout(set = 0, binding = 1) uniform samplerCube tc;
layout(set = 0, binding = 2) uniform sampler2DArray t2a;
layout(set = 0, binding = 3) uniform sampler2DShadow s2;
layout(set = 0, binding = 4) uniform isampler2D ti;
layout(set = 0, binding = 5) uniform samplerCubeArrayShadow sca;
layout(location = 0) in vec4 p;
layout(location = 1) flat in ivec2 move;
layout(location = 0) out vec4 target;
const ivec2 Around[4] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));

void main() {
  target = textureGather(t2, p.xy) + textureGather(t2, p.xy, 3) + textureGather(tc, p.xyz, 1) + textureGather(t2a, p.xyz, 2);
  target += textureGatherOffset(t2, p.xy, ivec2(3, -3)) + textureGatherOffset(t2, p.xy, move, 1);
  target += textureGatherOffsets(t2, p.xy, Around, 2) + vec4(textureGather(ti, p.xy));
  // Not textureGatherOffsets() with comparison: lavapipe (Mesa 22.3) gets it wrong, or crashes.
  target *= textureGather(s2, p.xy, p.z) + textureGatherOffset(s2, p.xy, p.z, ivec2(-5, 2)) + textureGather(sca, p, 0.5);
}

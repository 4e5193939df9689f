// SPDX-License-Identifier: MIT
// Size, level, sample and level-of-detail queries of every dimension.
#version 450
layout(set = 0, binding = 0) uniform sampler1D t1;
layout(set = 0, binding = 1) uniform sampler2D t2;
layout(set = 0, binding = 2) uniform sampler3D t3;
layout(set = 0, binding = 3) uniform samplerCube tc;
layout(set = 0, binding = 4) uniform sampler1DArray t1a;
layout(set = 0, binding = 5) uniform sampler2DArray t2a;
layout(set = 0, binding = 6) uniform samplerCubeArray tca;
layout(set = 0, binding = 7) uniform sampler2DMS tm;
layout(set = 0, binding = 8) uniform samplerBuffer tb;
layout(set = 0, binding = 9, rgba8) uniform readonly image3D i3;
layout(set = 0, binding = 10, rgba8) uniform readonly imageCube ic;
layout(set = 0, binding = 11, r32ui) uniform readonly uimageBuffer ib;
layout(location = 0) in vec3 p;
layout(location = 1) flat in int level;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 sizes;

void main() {
  target.xy = textureQueryLod(t2, p.xy) + textureQueryLod(t1, p.x) + textureQueryLod(t2a, p.xy);
  // Not of tc: lavapipe (Mesa 22.3) forgets the third coordinate.
  target.zw = textureQueryLod(t3, p) + textureQueryLod(tca, normalize(p));
  // Drivers disagree about the sizes of levels that an image does not have.
  int levelOf2 = min(level, textureQueryLevels(t2) - 1);
  ivec3 sum = ivec3(textureSize(t1, 0), textureSize(t2, levelOf2)) + textureSize(t3, level);
  sum += ivec3(textureSize(tc, 0), 0) + ivec3(textureSize(t1a, 1), 0) + textureSize(t2a, 0) + textureSize(tca, level);
  sum += ivec3(textureSize(tm), textureSize(tb)) + imageSize(i3) + ivec3(imageSize(ic), imageSize(ib));
  sizes = ivec4(sum, textureSamples(tm) + textureQueryLevels(t1) + textureQueryLevels(t2) + textureQueryLevels(t3) +
                         textureQueryLevels(tc) + textureQueryLevels(tca));
}

// SPDX-License-Identifier: MIT
// Storage image loads and stores of every dimension and several formats.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform image2D i2;
layout(set = 0, binding = 1, r32f) uniform image1D i1;
layout(set = 0, binding = 2, rgba16f) uniform image3D i3;
layout(set = 0, binding = 3, rgba8) uniform imageCube ic;
layout(set = 0, binding = 4, rgba8) uniform image2DArray i2a;
layout(set = 0, binding = 5, rg32i) uniform iimage1DArray i1a;
layout(set = 0, binding = 6, rgba32ui) uniform uimageBuffer ib;
layout(set = 0, binding = 7, rgba8) uniform writeonly imageCubeArray ica;
layout(set = 0, binding = 8) uniform writeonly image2D anyFormat;
layout(set = 0, binding = 9, rgba8) uniform coherent volatile image2D shared_;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  vec4 texel = imageLoad(i2, p.xy) + imageLoad(i3, p) + imageLoad(ic, p) + imageLoad(i2a, p) + imageLoad(shared_, p.xy);
  texel.x += float(imageLoad(i1a, p.xy).y);
  // Each texel is one invocation's: of images that have no rows, the first row's.
  if (p.y == 0) {
    texel.x += imageLoad(i1, p.x).x + float(imageLoad(ib, p.x).w);
    imageStore(i1, p.x, texel.wwww);
    imageStore(ib, p.x, uvec4(texel));
  }
  imageStore(i2, p.xy, texel);
  imageStore(i3, p, texel * 2.0);
  imageStore(ic, p, texel);
  imageStore(i2a, p, -texel);
  imageStore(i1a, p.xy, ivec4(texel));
  imageStore(ica, p, texel.bgra);
  imageStore(anyFormat, p.xy, texel);
  imageStore(shared_, p.xy, texel);
}

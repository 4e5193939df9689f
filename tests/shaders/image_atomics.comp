// SPDX-License-Identifier: MIT
// Every image atomic, on 2D, 3D, array and buffer images.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D u2;
layout(set = 0, binding = 1, r32i) uniform iimage2D s2;
layout(set = 0, binding = 2, r32ui) uniform uimage3D u3;
layout(set = 0, binding = 3, r32i) uniform iimage2DArray s2a;
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer ub;
layout(set = 0, binding = 5, r32ui) uniform uimage1D u1;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  uint v = imageAtomicAdd(u2, p.xy, 1u);
  v += imageAtomicMin(u2, p.xy, v);
  v += imageAtomicMax(u3, p, v);
  v += imageAtomicAnd(u2, p.yx, v);
  v += imageAtomicOr(ub, p.x, v);
  v += imageAtomicXor(u2, p.xy, v);
  v += imageAtomicExchange(u1, p.x, v);
  v += imageAtomicCompSwap(ub, p.y, v, 7u);
  int s = imageAtomicMin(s2, p.xy, int(v));
  s += imageAtomicMax(s2a, p, s);
  s += imageAtomicAdd(s2a, p, -s);
  imageAtomicCompSwap(s2, p.xy, s, 3);
}

// SPDX-License-Identifier: MIT
// Every atomic on storage buffers and on shared memory, with results that do not depend on the invocations' order.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  uint u[64];
  int s[64];
  uint exchanged[64];
  uint total;
};
shared uint sharedTotal, sharedParity;
shared int sharedLow;

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0u) {
    sharedTotal = sharedParity = 0u;
    sharedLow = 1000;
  }
  barrier();
  uint v = atomicAdd(u[i], 2u) + atomicMin(u[i], 100u) + atomicMax(u[i], 3u) + atomicAnd(u[i], 0xffu);
  v += atomicOr(u[i], 16u) + atomicXor(u[i], 5u) + atomicExchange(exchanged[i], i) + atomicCompSwap(u[i], 9u, 10u);
  int w = atomicMin(s[i], -5) + atomicMax(s[i], 5) + atomicAdd(s[i], int(v));
  atomicAdd(sharedTotal, v);
  atomicMin(sharedLow, w);
  atomicXor(sharedParity, v);
  barrier();
  uint before = atomicCompSwap(sharedTotal, i, i); // changes nothing
  if (i == 0u)
    atomicAdd(total, sharedTotal + sharedParity + uint(sharedLow) + before);
}

#version 450
// SPDX-License-Identifier: MIT
// The first wave ends, the second waits for it: no program may do that.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  if (gl_LocalInvocationIndex < 64)
    return;
  data[gl_LocalInvocationIndex] = 1;
  barrier();
  data[gl_LocalInvocationIndex] += data[gl_LocalInvocationIndex - 64];
}

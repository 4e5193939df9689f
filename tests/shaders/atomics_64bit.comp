// SPDX-License-Identifier: MIT
// 64-bit integer atomics and 32-bit float addition on buffers.
#version 450
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data {
  uint64_t sum;
  int64_t low;
  uint64_t bits;
  float total;
};

void main() {
  uint64_t v = atomicAdd(sum, uint64_t(gl_GlobalInvocationID.x) << 33);
  atomicMin(low, int64_t(gl_GlobalInvocationID.x) - 100L);
  atomicOr(bits, v);
  atomicCompSwap(bits, 0UL, v);
  atomicAdd(total, float(gl_LocalInvocationIndex));
}

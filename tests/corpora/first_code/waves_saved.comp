// SPDX-License-Identifier: MIT
// A branch right behind a sum of the whole wave, on a comparison in front of it: EXEC is kept and narrowed at once, which
// all lanes must not take part in.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Data { uint words[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = words[2u * i], b = words[2u * i + 1u];
  bool isOdd = (a & 1u) != 0u;
  uint total = subgroupAdd(b);
  if (isOdd)
    words[2u * i + 1u] = a ^ total;
}

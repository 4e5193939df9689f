// SPDX-License-Identifier: MIT
// Reductions and scans where only some lanes of a wave run, while the others wait with values of their own.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 160) in;
layout(std430, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint number; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = words[2u * i], b = words[2u * i + 1u], kept = a * 7u + b, other = a ^ b;
  if ((a & 1u) == 0u) {
    uint first = subgroupInclusiveAdd(b);
    if ((b & 2u) == 0u)
      b += subgroupExclusiveMax(a & 0xffffu) + first;
    else
      a ^= subgroupMin(b) * first;
    kept += subgroupClusteredAdd(a, 8u);
  } else {
    b ^= uint(subgroupExclusiveAdd(float(a & 255u) * 0.5));
    other += subgroupOr(a) - subgroupInclusiveMin(int(b));
  }
  // Lanes leave the loop apart, with what they have added up so far.
  for (uint k = 0u; k < (a & 7u); ++k) {
    uint sum = subgroupInclusiveAdd(a + k);
    other += sum;
    if ((b & 8u) != 0u && subgroupAdd(1u) < 20u)
      kept ^= subgroupExclusiveXor(sum);
    if ((sum & 31u) == 5u)
      break;
    b += subgroupClusteredMax(sum ^ b, 4u);
  }
  // All lanes stay together; what they add up is one value.
  uint total = 0u;
  for (uint k = 0u; k < (number & 3u) + 1u; ++k)
    total += subgroupAdd(kept + k) + subgroupMax(k + number);
  if (total > 1000u && gl_SubgroupInvocationID > 3u)
    kept += subgroupInclusiveAdd(number);
  words[2u * i] = a + kept + total;
  words[2u * i + 1u] = b ^ other;
}

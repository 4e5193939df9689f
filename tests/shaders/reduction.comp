// SPDX-License-Identifier: MIT
// A sum over a workgroup with subgroup and shared-memory steps, last workgroup finishes.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Source { vec4 values[]; };
layout(std430, binding = 1) coherent buffer Target {
  float sums[64];
  uint finished;
  float total;
};
shared float partial[4];
shared bool last;

float workgroupSum(float value) {
  float sum = subgroupAdd(value);
  if (subgroupElect())
    partial[gl_SubgroupID] = sum;
  barrier();
  return partial[0] + partial[1] + partial[2] + partial[3];
}

void main() {
  vec4 v = values[gl_GlobalInvocationID.x];
  float sum = workgroupSum(v.x + v.y + v.z + v.w);
  if (gl_LocalInvocationIndex == 0u) {
    sums[gl_WorkGroupID.x] = sum;
    memoryBarrierBuffer();
    last = atomicAdd(finished, 1u) == gl_NumWorkGroups.x - 1u;
  }
  barrier();
  if (last) {
    float all_ = gl_LocalInvocationIndex < gl_NumWorkGroups.x ? sums[gl_LocalInvocationIndex] : 0.0;
    all_ = workgroupSum(all_);
    if (gl_LocalInvocationIndex == 0u)
      total = all_;
  }
}

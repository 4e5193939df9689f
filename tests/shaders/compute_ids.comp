// SPDX-License-Identifier: MIT
// Every compute built-in.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(std430, binding = 0) buffer Data { uvec4 values[]; };

void main() {
  uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize;
  uint i = (gl_GlobalInvocationID.z * size.y + gl_GlobalInvocationID.y) * size.x + gl_GlobalInvocationID.x;
  values[i] = uvec4(gl_WorkGroupID.x + gl_WorkGroupID.y, gl_LocalInvocationIndex, gl_LocalInvocationID.z,
                    gl_SubgroupID * gl_NumSubgroups + gl_SubgroupInvocationID + gl_SubgroupSize);
}

#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 8, local_size_y = 2) in;
layout(local_size_z_id = 3) in;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; };
void main() { atomicAdd(numbers[gl_LocalInvocationIndex], 1); }

// SPDX-License-Identifier: MIT
// Specialisation constants: workgroup size, array sizes, arithmetic on them, every scalar type.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const int Count = 4;
layout(constant_id = 3) const float Gain = 1.5;
layout(constant_id = 4) const bool Squared = true;
layout(constant_id = 5) const uint Mask = 0xf0u;
layout(constant_id = 6) const double Fine = 0.125;
const int Twice = Count * 2 + 1;
const bool Large = Count > 3 && Squared;
layout(std430, binding = 0) buffer Data { float values[]; };

void main() {
  float table[Twice];
  for (int i = 0; i < Twice; ++i)
    table[i] = float(i) * Gain;
  uint index = gl_GlobalInvocationID.y * 64u + gl_GlobalInvocationID.x;
  float value = table[int(index & Mask) % Twice];
  if (Large)
    value *= value;
  values[index] = value + float(Fine) + float(gl_WorkGroupSize.x);
}

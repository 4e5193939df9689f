#version 460
// Arrays in registers are indexed by uniform numbers in VGPRs, between derivatives and atomics that helpers take no part in.
layout(set = 0, binding = 0) buffer Counts { uint counts[1024]; uint masks[1024]; };
layout(set = 0, binding = 1) readonly buffer Indices { uint indices[16]; };
layout(push_constant) uniform Numbers { uint number; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  int slope = int(dFdyFine(float((at.x + at.y * 5u) & 63u)) * 2.0);
  uint values[16];
  for (uint i = 0u; i < 16u; ++i)
    values[i] = number * i + at.x;
  values[indices[3] & 15u] = at.y;
  uint value = values[indices[5] & 15u];
  atomicAdd(counts[at.y * 32u + at.x & 1023u], uint(slope) + value * 35u);
  uint other = values[(indices[7] + value) & 15u];
  atomicOr(masks[at.y * 32u + at.x & 1023u], other | 1u);
  target = uvec4(value, uint(slope), other, 1u);
}

// SPDX-License-Identifier: MIT
// Reductions and scans of each type and size of clusters, of a workgroup whose last wave is not full.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 100) in;
layout(std430, binding = 0) buffer Data { uint words[]; };

uint result = 0u;
uint bits(int value) { return uint(value); }
uint bits(uint value) { return value; }
uint bits(float value) { return floatBitsToUint(value); }
uint bits(double value) { return unpackDouble2x32(value).x ^ unpackDouble2x32(value).y * 7u; }
uint bits(int64_t value) { return uint(value) ^ uint(value >> 32) * 5u; }
uint bits(uint64_t value) { return uint(value) ^ uint(value >> 32) * 5u; }
uint bits(int16_t value) { return uint(value); }
uint bits(int8_t value) { return uint(value); }
uint bits(float16_t value) { return floatBitsToUint(float(value)); }
uint bits(bool value) { return value ? 1u : 0u; }
uint bits(uvec2 value) { return value.x + value.y * 3u; }

#define MIX(value) result = result * 31u + bits(value)
#define ALL(op, v) \
  MIX(subgroup##op(v)); MIX(subgroupInclusive##op(v)); MIX(subgroupExclusive##op(v)); \
  MIX(subgroupClustered##op(v, 1u)); MIX(subgroupClustered##op(v, 2u)); MIX(subgroupClustered##op(v, 4u)); \
  MIX(subgroupClustered##op(v, 8u)); MIX(subgroupClustered##op(v, 16u)); MIX(subgroupClustered##op(v, 32u)); \
  MIX(subgroupClustered##op(v, 64u))

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = words[i];
  float small = float(int(x) % 1000) * 0.37;
  ALL(Add, int(x)); ALL(Mul, int(x)); ALL(Min, int(x)); ALL(Max, int(x)); ALL(And, int(x)); ALL(Or, int(x)); ALL(Xor, int(x));
  ALL(Min, x); ALL(Max, x);
  ALL(Add, small); ALL(Mul, small); ALL(Min, small); ALL(Max, small);
  ALL(Add, double(small)); ALL(Mul, double(small)); ALL(Min, double(small)); ALL(Max, double(small));
  ALL(Add, int64_t(x) * 12345l); ALL(Mul, int64_t(x)); ALL(Min, int64_t(int(x))); ALL(Max, int64_t(int(x)));
  ALL(Max, uint64_t(x) << 20); ALL(Xor, uint64_t(x) << 20);
  ALL(Add, int16_t(x)); ALL(Min, int16_t(x)); ALL(Max, int8_t(x)); ALL(And, int8_t(x));
  ALL(Add, float16_t(small * 0.1)); ALL(Max, float16_t(small));
  ALL(Or, (x & 5u) == 0u); ALL(Xor, (x & 1u) == 0u);
  ALL(Add, uvec2(x, i));
  words[i] = result;
}

#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Addresses that are kept as integers: whole, as two halves, in an array, moved, and given to a function.
layout(local_size_x = 64) in;

layout(buffer_reference, std430) buffer Numbers { float values[]; };
layout(push_constant) uniform Constants {
  float scale;
  uvec2 halves;
  uint64_t whole;
};
layout(binding = 0, std430) buffer Table {
  uint64_t rows[3];
  uvec2 result;
};

float first(uint64_t address, uint i) { return Numbers(address + 16ul).values[i]; }

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t row = rows[i % 3];
  Numbers(result).values[i] = scale * Numbers(halves).values[i] + first(whole, i) + Numbers(row).values[i + 1];
}

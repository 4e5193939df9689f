// SPDX-License-Identifier: MIT
// Inputs of 16 bits in many locations: half floats that are interpolated in every way, and numbers that are not.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in f16vec3 color;
layout(location = 1) in float16_t alpha;
layout(location = 2) noperspective in f16vec2 window;
layout(location = 3) centroid in float16_t edge;
layout(location = 4) in vec2 whole;
layout(location = 5) flat in u16vec3 numbers;
layout(location = 6) flat in float16_t level;
layout(location = 7) flat in int64_t wide;
layout(location = 8) flat in int16_t last;
layout(location = 0) out vec4 target;
layout(location = 1) out ivec4 integers;

void main() {
  target = vec4(color * alpha, interpolateAtOffset(whole.x, vec2(0.25))) + vec4(window, edge, level);
  integers = ivec4(numbers.x + numbers.z, numbers.y, last, int(wide >> 33) + int(whole.y * 4.0));
}

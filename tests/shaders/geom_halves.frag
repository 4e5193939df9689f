// SPDX-License-Identifier: MIT
// Inputs of 16 bits, one for each location.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in float16_t red;
layout(location = 1) in float16_t green;
layout(location = 2) in float16_t blue;
layout(location = 3) in float16_t alpha;
layout(location = 4) in float16_t scale;
layout(location = 5) flat in i16vec2 sums;
layout(location = 6) flat in uint16_t count;
layout(location = 0) out vec4 target;

void main() {
  target = vec4(f16vec4(red, green, blue, alpha) * scale) + vec4(sums.x, sums.y, count, 0) * 0.001;
}

// SPDX-License-Identifier: MIT
// 16-bit inputs, smooth and flat, computed with and written to 32-bit targets.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in f16vec2 color;
layout(location = 1) flat in i16vec2 number;
layout(location = 0) out vec4 target;

void main() {
  f16vec2 product = color * f16vec2(number) + f16vec2(0.5hf);
  target = vec4(vec2(product), float(number.x), 1.0);
}

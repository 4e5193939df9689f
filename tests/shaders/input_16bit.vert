// SPDX-License-Identifier: MIT
// 16-bit float and integer vertex inputs and outputs.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in f16vec4 position;
layout(location = 1) in i16vec2 a;
layout(location = 2) in uint16_t b;
layout(location = 3) in float16_t c;
layout(location = 0) out f16vec2 color;
layout(location = 1) flat out i16vec2 number;

void main() {
  gl_Position = vec4(position) * float(c);
  color = position.xy + f16vec2(a);
  number = a * i16vec2(int16_t(b));
}

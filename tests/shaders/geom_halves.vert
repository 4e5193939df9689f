// SPDX-License-Identifier: MIT
// Outputs of 16 bits that a geometry shader takes.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in vec4 position;
layout(location = 1) in vec2 shade;
layout(location = 0) out f16vec2 light;
layout(location = 1) out int16_t number;

void main() {
  gl_Position = position;
  light = f16vec2(shade);
  number = int16_t(-gl_VertexIndex);
}

// SPDX-License-Identifier: MIT
// Outputs of 16 bits that a control shader takes.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in vec4 position;
layout(location = 0) out f16vec3 height;

void main() {
  gl_Position = position;
  height = f16vec3(position.xyz) * 0.25hf;
}

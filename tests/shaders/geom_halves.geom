// SPDX-License-Identifier: MIT
// Inputs and outputs of 16 bits: each output of its own is read from the ring by the copy shader.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in f16vec2 light[];
layout(location = 1) in int16_t number[];
layout(location = 0) out float16_t red;
layout(location = 1) out float16_t green;
layout(location = 2) out float16_t blue;
layout(location = 3) out float16_t alpha;
layout(location = 4) out float16_t scale;
layout(location = 5) flat out i16vec2 sums;
layout(location = 6) flat out uint16_t count;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    red = light[i].x;
    green = light[i].y * 2.0hf;
    blue = light[i].x - light[i].y;
    alpha = light[0].x;
    scale = float16_t(i) + 0.5hf;
    sums = i16vec2(number[0] + number[1], number[i] * 2s);
    count = uint16_t(i + 40000);
    EmitVertex();
  }
}

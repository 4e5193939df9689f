// SPDX-License-Identifier: MIT
// Inputs and outputs of 16 bits behind the tessellator; an array of outputs is written element by element.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(triangles) in;
layout(location = 0) in f16vec3 height[];
layout(location = 1) patch in u16vec2 id;
layout(location = 0) out float16_t steps[5];
layout(location = 5) flat out uint16_t first;
layout(location = 6) flat out uint16_t second;

void main() {
  vec3 at = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * at.x + gl_in[1].gl_Position * at.y + gl_in[2].gl_Position * at.z;
  f16vec3 mixed = height[0] * float16_t(at.x) + height[1] * float16_t(at.y) + height[2] * float16_t(at.z);
  for (int i = 0; i < 3; ++i)
    steps[i] = mixed[i] + float16_t(i);
  steps[3] = float16_t(at.x);
  steps[4] = float16_t(at.y);
  first = id.x;
  second = id.y;
}

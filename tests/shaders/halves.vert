// SPDX-License-Identifier: MIT
// Outputs of 16 bits in many locations: half floats that are interpolated in every way, and numbers that are not.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 weights;
layout(location = 0) out f16vec3 color;
layout(location = 1) out float16_t alpha;
layout(location = 2) noperspective out f16vec2 window;
layout(location = 3) centroid out float16_t edge;
layout(location = 4) out vec2 whole;
layout(location = 5) flat out u16vec3 numbers;
layout(location = 6) flat out float16_t level;
layout(location = 7) flat out int64_t wide;
layout(location = 8) flat out int16_t last;

void main() {
  gl_Position = position;
  f16vec4 half4 = f16vec4(weights);
  color = half4.xyz * 0.5hf + 0.25hf;
  alpha = half4.w - half4.x;
  window = f16vec2(position.yx);
  edge = half4.y * half4.z;
  whole = weights.zw;
  numbers = u16vec3(gl_VertexIndex, gl_VertexIndex * 3, 7);
  level = float16_t(gl_VertexIndex) * 0.125hf;
  wide = int64_t(gl_VertexIndex) << 33;
  last = int16_t(gl_VertexIndex) - 4s;
}

// SPDX-License-Identifier: MIT
// Sampling into 16-bit floats, relaxed precision, quantisation through packing.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(set = 0, binding = 0) uniform mediump sampler2D image;
layout(location = 0) in mediump vec2 uv;
layout(location = 0) out mediump vec4 target;

void main() {
  mediump vec4 a = texture(image, uv);
  f16vec4 h = f16vec4(a) * f16vec4(0.5hf);
  precise vec2 exact = uv * uv + uv;
  target = vec4(h) + vec4(unpackHalf2x16(packHalf2x16(exact)), exact);
}

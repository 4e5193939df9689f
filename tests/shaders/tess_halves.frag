// SPDX-License-Identifier: MIT
// An array of inputs of 16 bits that is indexed dynamically.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in float16_t steps[5];
layout(location = 5) flat in uint16_t first;
layout(location = 6) flat in uint16_t second;
layout(location = 0) out vec4 target;

void main() {
  int at = (first + second + int(gl_FragCoord.x)) % 5;
  target = vec4(steps[at], steps[0] - steps[4], float(first), float(second) * 0.1);
}

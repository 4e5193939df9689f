// SPDX-License-Identifier: MIT
// Sample mask input and output, sample number and position, without depth.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  target = color + vec4(gl_SamplePosition, float(gl_SampleID), float(gl_SampleMaskIn[0]));
  gl_SampleMask[0] = gl_SampleMaskIn[0] & 0x5;
}

// SPDX-License-Identifier: MIT
// Dual-source blending: two outputs at one location.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0, index = 0) out vec4 source0;
layout(location = 0, index = 1) out vec4 source1;

void main() {
  source0 = color;
  source1 = vec4(color.www, 1.0) * 0.5;
}

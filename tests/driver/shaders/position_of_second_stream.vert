// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 kept;

void main() {
  gl_Position = position;
  kept = position.yxwz;
}

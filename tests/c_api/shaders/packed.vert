#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 0) out vec2 first;
layout(location = 1) out vec2 second;
void main() {
  gl_Position = position;
  first = position.xy;
  second = position.zw;
}

// SPDX-License-Identifier: MIT
// Float, vec2, vec3 and vec4 vertex inputs, one of them read only in part.
#version 450
layout(location = 0) in float a;
layout(location = 1) in vec2 b;
layout(location = 2) in vec3 c;
layout(location = 3) in vec4 d;
layout(location = 0) out vec4 color;

void main() {
  gl_Position = vec4(c, 1.0);
  color = vec4(a, b, d.w);
}

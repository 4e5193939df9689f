// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() {
  gl_Position = vec4(float(gl_VertexIndex));
  a = gl_Position * 2.0;
  b = gl_Position * 3.0;
}

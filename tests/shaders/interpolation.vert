// SPDX-License-Identifier: MIT
// Outputs with every interpolation qualifier.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 a;
layout(location = 1) noperspective out vec4 b;
layout(location = 2) flat out vec4 c;
layout(location = 3) centroid out vec4 d;
layout(location = 4) sample out vec4 e;
layout(location = 5) noperspective centroid out vec2 f;

void main() {
  gl_Position = position;
  a = color;
  b = color * 2.0;
  c = color.wzyx;
  d = color + 1.0;
  e = color - 1.0;
  f = color.xy;
}

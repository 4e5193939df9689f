// SPDX-License-Identifier: MIT
// A vertex with clip distances.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[4];
};

void main() {
  gl_Position = position;
  gl_ClipDistance[0] = position.x + 0.6;
  gl_ClipDistance[1] = 0.7 - position.x;
  gl_ClipDistance[2] = position.y + 0.8;
  gl_ClipDistance[3] = 0.9 - position.y;
  vertexColor = color;
}

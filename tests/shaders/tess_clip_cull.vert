// SPDX-License-Identifier: MIT
// A vertex with clip and cull distances.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[2];
  float gl_CullDistance[1];
};

void main() {
  gl_Position = position;
  gl_ClipDistance[0] = position.x + 0.5;
  gl_ClipDistance[1] = 0.75 - position.y;
  gl_CullDistance[0] = position.y + 0.9;
  vertexColor = color;
}

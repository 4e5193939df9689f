// SPDX-License-Identifier: MIT
// Matrix vertex inputs and an array input, dynamically indexed.
#version 450
layout(location = 0) in mat4 transform;
layout(location = 4) in mat3x2 texture;
layout(location = 7) in vec4 points[3];
layout(location = 0) out vec2 uv;

void main() {
  gl_Position = transform * points[gl_VertexIndex % 3];
  uv = texture * vec3(points[1].xy, 1.0);
}

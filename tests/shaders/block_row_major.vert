// SPDX-License-Identifier: MIT
// Row- and column-major matrices of every shape in one block, whole, by column and by element.
#version 450
layout(std140, set = 1, binding = 2, row_major) uniform Rows {
  mat4 a;
  mat3x4 b;
  layout(column_major) mat2x3 c;
  mat4x2 d[2];
};
layout(std430, set = 1, binding = 3, row_major) buffer Store {
  mat2x3 written;
  float element;
};
layout(location = 0) in vec4 position;

void main() {
  vec4 p = a * position;
  p += b * position.xyz;
  p.xyz += c * position.xy;
  p.xy += d[1] * position;
  p.z += a[2][gl_VertexIndex & 3];
  p += a[gl_VertexIndex & 3];
  gl_Position = p;
}

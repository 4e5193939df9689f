// SPDX-License-Identifier: MIT
// Transform feedback of a vertex shader: the position, variables and members of a block, in two buffers.
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(xfb_buffer = 0, xfb_stride = 48) out;
layout(xfb_offset = 0) out gl_PerVertex { vec4 gl_Position; };
layout(location = 0, xfb_offset = 16) out vec4 shade;
layout(location = 1, xfb_offset = 36) out vec2 place;
layout(location = 2, xfb_buffer = 1, xfb_stride = 32) out Captured {
  layout(xfb_offset = 0) mat2 turn;
  layout(xfb_offset = 20) float values[2];
  vec3 kept;
} captured;

void main() {
  gl_Position = position;
  shade = color;
  place = position.yx;
  captured.turn = mat2(1.0, 2.0, 3.0, 4.0);
  captured.values[0] = color.r;
  captured.values[1] = float(gl_VertexIndex);
  captured.kept = color.bgr;
}

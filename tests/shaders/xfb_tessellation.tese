// SPDX-License-Identifier: MIT
// Transform feedback of an evaluation shader, clip distances too.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(xfb_buffer = 2, xfb_stride = 40) out;
layout(xfb_buffer = 2) out gl_PerVertex {
  layout(xfb_offset = 0) vec4 gl_Position;
  layout(xfb_offset = 16) float gl_ClipDistance[2];
};
layout(location = 0) in vec4 controlColor[];
layout(location = 0, xfb_offset = 24) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  gl_ClipDistance[0] = gl_Position.x + 0.75;
  gl_ClipDistance[1] = gl_Position.y + 0.75;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
}

// SPDX-License-Identifier: MIT
// The number of the patch and the size of the output patch.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  color.b = float((gl_PrimitiveID + gl_PatchVerticesIn) % 4) / 4.0;
  color.a = float(gl_PrimitiveID & 3) / 3.0;
}

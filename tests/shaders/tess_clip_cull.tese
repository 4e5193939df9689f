// SPDX-License-Identifier: MIT
// Clip and cull distances are interpolated.
#version 450
layout(triangles, equal_spacing, ccw) in;
in gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[2];
  float gl_CullDistance[1];
} gl_in[gl_MaxPatchVertices];
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[2];
  float gl_CullDistance[1];
};
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  gl_ClipDistance[0] = gl_ClipDistance[1] = gl_CullDistance[0] = 0.0;
  for (int i = 0; i < 3; ++i) {
    for (int plane = 0; plane < 2; ++plane)
      gl_ClipDistance[plane] += gl_in[i].gl_ClipDistance[plane] * c[i];
    gl_CullDistance[0] += gl_in[i].gl_CullDistance[0] * c[i];
  }
}

// SPDX-License-Identifier: MIT
// Clip distances are passed on, cull distances made here.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[4];
} gl_in[];
out gl_PerVertex {
  vec4 gl_Position;
  float gl_ClipDistance[4];
  float gl_CullDistance[2];
};
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    for (int plane = 0; plane < 4; ++plane)
      gl_ClipDistance[plane] = gl_in[i].gl_ClipDistance[plane];
    gl_CullDistance[0] = (gl_PrimitiveIDIn & 7) == 3 ? -1.0 : 1.0;
    gl_CullDistance[1] = float(i) - 0.5;
    color = vertexColor[i];
    EmitVertex();
  }
}

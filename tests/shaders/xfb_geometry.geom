// SPDX-License-Identifier: MIT
// Transform feedback of a geometry shader, whose strips are captured as single triangles.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 4) out;
layout(xfb_buffer = 0, xfb_stride = 36) out;
layout(xfb_offset = 0) out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) in vec4 vertexColor[];
layout(location = 0, xfb_offset = 16) out vec4 color;
layout(location = 1, xfb_offset = 32) flat out uint number;

void main() {
  for (int i = 0; i < 4; ++i) {
    gl_Position = i < 3 ? gl_in[i].gl_Position : gl_in[0].gl_Position * vec4(0.5, 0.5, 1.0, 1.0);
    color = vertexColor[i % 3];
    number = uint(gl_PrimitiveIDIn * 4 + i);
    EmitVertex();
  }
}

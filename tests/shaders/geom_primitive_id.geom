// SPDX-License-Identifier: MIT
// The shader numbers its primitives itself.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int copy = 0; copy < 2; ++copy) {
    for (int i = 0; i < 3; ++i) {
      vec4 position = gl_in[i].gl_Position;
      gl_Position = vec4(position.xy * (copy == 0 ? 1.0 : 0.5), position.zw);
      gl_PrimitiveID = gl_PrimitiveIDIn * 2 + copy;
      color = vertexColor[i];
      EmitVertex();
    }
    EndPrimitive();
  }
}

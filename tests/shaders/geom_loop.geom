// SPDX-License-Identifier: MIT
// As many triangles as the primitive says, in a loop with break and continue.
#version 450
layout(points) in;
layout(triangle_strip, max_vertices = 12) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = gl_in[0].gl_Position;
  int count = gl_PrimitiveIDIn % 5;
  for (int i = 0;; ++i) {
    if (i >= count)
      break;
    if (i == 1)
      continue;
    for (int corner = 0; corner < 3; ++corner) {
      vec2 place = vec2(float(i) * 0.06 + float(corner & 1) * 0.05, float(corner >> 1) * 0.1);
      gl_Position = vec4(center.xy + place * center.w, center.zw);
      color = vertexColor[0] * (1.0 - 0.2 * float(i));
      EmitVertex();
    }
    EndPrimitive();
  }
}

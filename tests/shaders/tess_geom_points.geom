// SPDX-License-Identifier: MIT
// Points that tessellation made become triangles.
#version 450
layout(points) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 evaluated[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    vec4 center = gl_in[0].gl_Position;
    gl_Position = vec4(center.xy + vec2(i & 1, i >> 1) * 0.04 * center.w, center.zw);
    color = evaluated[0] * (1.0 - 0.25 * float(i));
    EmitVertex();
  }
  EndPrimitive();
}

// SPDX-License-Identifier: MIT
// Each point becomes a square.
#version 450
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = gl_in[0].gl_Position;
  for (int i = 0; i < 4; ++i) {
    vec2 corner = vec2(i & 1, i >> 1) - 0.5;
    gl_Position = vec4(center.xy + corner * 0.15 * center.w, center.zw);
    color = vertexColor[0] + vec4(corner, 0.0, 0.0) * 0.5;
    EmitVertex();
  }
  EndPrimitive();
}

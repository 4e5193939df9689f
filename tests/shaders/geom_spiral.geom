// SPDX-License-Identifier: MIT
// Many vertices: a strip of 64 around each point.
#version 450
layout(points) in;
layout(line_strip, max_vertices = 64) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = gl_in[0].gl_Position;
  vec2 arm = vec2(0.0, 0.002);
  for (int i = 0; i < 64; ++i) {
    gl_Position = vec4(center.xy + arm * center.w, center.zw);
    color = vertexColor[0] * (float(i + 1) / 64.0);
    EmitVertex();
    arm = mat2(0.92, 0.41, -0.41, 0.92) * arm * 1.04;
  }
  EndPrimitive();
}

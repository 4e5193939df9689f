// SPDX-License-Identifier: MIT
// The corners and the centre of a triangle as points.
#version 450
layout(triangles) in;
layout(points, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = vec4(0.0);
  for (int i = 0; i < 3; ++i) {
    center += gl_in[i].gl_Position / 3.0;
    gl_Position = gl_in[i].gl_Position;
    gl_PointSize = 2.0 + float(i);
    color = vertexColor[i];
    EmitVertex();
  }
  gl_Position = center;
  gl_PointSize = 6.0;
  color = (vertexColor[0] + vertexColor[1] + vertexColor[2]) / 3.0;
  EmitVertex();
}

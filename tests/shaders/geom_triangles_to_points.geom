// SPDX-License-Identifier: MIT
// The centre of a triangle, and a place between it and each corner, as points. They hardly cover each other: blending
// rounds each layer.
#version 450
layout(triangles) in;
layout(points, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / 3.0;
  for (int i = 0; i < 3; ++i) {
    gl_Position = mix(center, gl_in[i].gl_Position, 0.625);
    gl_PointSize = 1.0 + float(i);
    color = vertexColor[i];
    EmitVertex();
  }
  gl_Position = center;
  gl_PointSize = 1.5;
  color = (vertexColor[0] + vertexColor[1] + vertexColor[2]) / 3.0;
  EmitVertex();
}

// SPDX-License-Identifier: MIT
// Each point becomes two, of different sizes.
#version 450
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  gl_Position = gl_in[0].gl_Position;
  gl_PointSize = 5.0;
  color = vertexColor[0];
  EmitVertex();
  gl_Position = gl_in[0].gl_Position + vec4(0.1, 0.05, 0.0, 0.0) * gl_in[0].gl_Position.w;
  gl_PointSize = 3.0;
  color = vertexColor[0].gbra;
  EmitVertex();
}

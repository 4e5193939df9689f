// SPDX-License-Identifier: MIT
// Each line gets a corner in the middle.
#version 450
layout(lines) in;
layout(line_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  gl_Position = gl_in[0].gl_Position;
  color = vertexColor[0];
  EmitVertex();
  vec4 middle = (gl_in[0].gl_Position + gl_in[1].gl_Position) * 0.5;
  gl_Position = middle + vec4(0.0, 0.125, 0.0, 0.0) * middle.w;
  color = vec4(1.0, 0.5, 0.0, 1.0);
  EmitVertex();
  gl_Position = gl_in[1].gl_Position;
  color = vertexColor[1];
  EmitVertex();
  EndPrimitive();
}

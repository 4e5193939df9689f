// SPDX-License-Identifier: MIT
// Some outputs are stored on one path only, before each vertex all the same.
#version 450
layout(lines) in;
layout(line_strip, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  bool doubled = (gl_PrimitiveIDIn & 1) == 0;
  gl_Position = gl_in[0].gl_Position;
  color = vertexColor[0];
  EmitVertex();
  gl_Position = gl_in[1].gl_Position;
  color = vertexColor[1];
  EmitVertex();
  if (!doubled)
    return;
  EndPrimitive();
  gl_Position = gl_in[0].gl_Position.yxzw;
  color = vec4(1.0, 1.0, 0.0, 1.0);
  EmitVertex();
  gl_Position = gl_in[1].gl_Position.yxzw;
  color = vec4(0.0, 1.0, 1.0, 1.0);
  EmitVertex();
}

// SPDX-License-Identifier: MIT
// Each invocation renders to a layer of its own.
#version 450
layout(triangles, invocations = 3) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = gl_InvocationID;
    color = vertexColor[(i + gl_InvocationID) % 3];
    EmitVertex();
  }
  EndPrimitive();
}

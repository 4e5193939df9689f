// SPDX-License-Identifier: MIT
// Four invocations, each a smaller triangle in front of the larger ones.
#version 450
layout(triangles, invocations = 4) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec4 center = (gl_in[0].gl_Position + gl_in[1].gl_Position + gl_in[2].gl_Position) / 3.0;
  float size = 1.0 - 0.25 * float(gl_InvocationID);
  for (int i = 0; i < 3; ++i) {
    gl_Position = mix(center, gl_in[i].gl_Position, size);
    gl_Position.z = 0.5 * gl_Position.z + 0.25 * size * gl_Position.w;
    color = vertexColor[i] * size + vec4(0.0, 0.0, 1.0 - size, 0.0);
    EmitVertex();
  }
  EndPrimitive();
}

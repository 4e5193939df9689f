// SPDX-License-Identifier: MIT
// Vertex and instance numbers, base vertex, base instance and draw index.
#version 450
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) flat out ivec4 ids;

void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
  ids = ivec4(gl_InstanceIndex, gl_BaseVertexARB, gl_BaseInstanceARB, gl_DrawIDARB);
}

// SPDX-License-Identifier: MIT
// Thirty-two invocations of a point shader; each third one emits nothing.
#version 450
layout(points, invocations = 32) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  if (gl_InvocationID % 3 == 2)
    return;
  vec4 center = gl_in[0].gl_Position;
  vec2 place = vec2(gl_InvocationID & 7, gl_InvocationID >> 3) * 0.02;
  gl_Position = vec4(center.xy + place * center.w, center.zw);
  gl_PointSize = 1.0;
  color = vertexColor[0] * (float(gl_InvocationID + 1) / 32.0);
  EmitVertex();
}

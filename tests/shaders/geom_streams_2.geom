// SPDX-License-Identifier: MIT
// Two vertex streams of points; only the first is seen.
#version 450
layout(points) in;
layout(points, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0, stream = 0) out vec4 color;
layout(location = 1, stream = 1) out vec2 place;

void main() {
  for (int i = 0; i < 2; ++i) {
    place = gl_in[0].gl_Position.xy * float(i + 1);
    EmitStreamVertex(1);
    EndStreamPrimitive(1);
    gl_Position = gl_in[0].gl_Position + vec4(0.0, 0.05 * float(i), 0.0, 0.0);
    gl_PointSize = 3.0;
    color = vertexColor[0] * float(2 - i) * 0.5;
    EmitStreamVertex(0);
    EndStreamPrimitive(0);
  }
}

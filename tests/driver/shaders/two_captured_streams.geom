// SPDX-License-Identifier: MIT
// Two streams are captured and nothing is shaded: there is no fragment shader.
#version 450
layout(points) in;
layout(points, max_vertices = 4) out;
layout(location = 0) in vec4 kept[];
layout(stream = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16, location = 0) out vec4 first;
layout(stream = 1, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 16, location = 1) out vec4 second;

void main() {
  gl_Position = gl_in[0].gl_Position;
  gl_PointSize = 1.0;
  first = kept[0];
  EmitStreamVertex(0);
  EndStreamPrimitive(0);
  for (int i = 0; i < 2; ++i) {
    second = kept[0] * float(i + 2);
    EmitStreamVertex(1);
    EndStreamPrimitive(1);
  }
}

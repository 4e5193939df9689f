// SPDX-License-Identifier: MIT
// Four vertex streams of points, each captured in a buffer of its own; the first is rasterised.
#version 450
layout(points) in;
layout(points, max_vertices = 8) out;
layout(location = 0) in vec4 vertexColor[];
layout(stream = 0, xfb_buffer = 0, xfb_stride = 16) out;
layout(location = 0, stream = 0, xfb_buffer = 0, xfb_offset = 0) out vec4 color;
layout(location = 1, stream = 1, xfb_buffer = 1, xfb_stride = 8, xfb_offset = 0) out vec2 place;
layout(location = 2, stream = 2, xfb_buffer = 2, xfb_stride = 12, xfb_offset = 4) out ivec2 numbers;
layout(location = 3, stream = 3, xfb_buffer = 3, xfb_stride = 4, xfb_offset = 0) out float depth;

void main() {
  gl_Position = gl_in[0].gl_Position;
  gl_PointSize = 4.0;
  color = vertexColor[0];
  EmitStreamVertex(0);
  place = gl_in[0].gl_Position.xy;
  EmitStreamVertex(1);
  for (int i = 0; i < 1 + (gl_PrimitiveIDIn & 1); ++i) {
    numbers = ivec2(gl_PrimitiveIDIn, i);
    EmitStreamVertex(2);
  }
  if (gl_in[0].gl_Position.x > 0.0) {
    depth = gl_in[0].gl_Position.z;
    EmitStreamVertex(3);
  }
}

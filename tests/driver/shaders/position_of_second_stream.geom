// SPDX-License-Identifier: MIT
// The second stream, and no other, has vertices, with position and clip distances: nothing is rasterised.
#version 450
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in vec4 kept[];
layout(stream = 1) out;
layout(xfb_buffer = 1, xfb_stride = 24) out gl_PerVertex {
  layout(xfb_offset = 0) vec4 gl_Position;
  layout(xfb_offset = 16) float gl_ClipDistance[2];
};

void main() {
  for (int i = 0; i < 2; ++i) {
    gl_Position = kept[0] * float(i + 2);
    gl_ClipDistance[0] = kept[0].x;
    gl_ClipDistance[1] = float(i);
    EmitStreamVertex(1);
    EndStreamPrimitive(1);
  }
}

// SPDX-License-Identifier: MIT
// Lines that tessellation made become ribbons; the number of the patch is passed on. It comes from the
// evaluation shader: whether gl_PrimitiveIDIn is the patch's number or counts lines, Vulkan does not say clearly.
#version 450
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 evaluated[];
layout(location = 1) flat in int patchNumber[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 4; ++i) {
    vec4 end = gl_in[i >> 1].gl_Position;
    gl_Position = vec4(end.xy + vec2(0.0, (i & 1) == 0 ? 0.02 : -0.02) * end.w, end.zw);
    gl_PrimitiveID = patchNumber[0];
    color = evaluated[i >> 1];
    EmitVertex();
  }
}

// SPDX-License-Identifier: MIT
// The colour goes through a denormal, which must not become 0.
#version 450
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    precise vec4 tiny = vertexColor[i] * 1e-39;
    color = tiny * 1e38 + vec4(0.1);
    EmitVertex();
  }
}

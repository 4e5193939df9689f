// SPDX-License-Identifier: MIT
// Stencil reference together with depth and sample mask, and no colour.
#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) in vec4 color;

void main() {
  gl_FragStencilRefARB = int(color.x * 255.0);
  gl_FragDepth = color.y;
  gl_SampleMask[0] = 3;
}

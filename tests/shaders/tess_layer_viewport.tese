// SPDX-License-Identifier: MIT
// Writes layer and viewport index.
#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(triangles, equal_spacing, ccw) in;
layout(location = 1) patch in int layer;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  gl_Layer = layer;
  gl_ViewportIndex = 0;
}

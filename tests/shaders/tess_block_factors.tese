// SPDX-License-Identifier: MIT
// Displaces vertices by a texture.
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(set = 0, binding = 1) uniform sampler2D heights;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  gl_Position.xy += 0.05 * textureLod(heights, c.xy, 0.0).xy;
}

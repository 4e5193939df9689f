// SPDX-License-Identifier: MIT
// A block of the patch as input.
#version 450
struct Light {
  vec3 color;
  float power;
};
layout(triangles, equal_spacing, ccw) in;
layout(location = 2) patch in Lights {
  vec2 scale;
  Light lights[2];
  ivec2 numbers;
} lit;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 color;

void main() {
  vec3 c = gl_TessCoord;
  gl_Position = gl_in[0].gl_Position * c.x + gl_in[1].gl_Position * c.y + gl_in[2].gl_Position * c.z;
  color = controlColor[0] * c.x + controlColor[1] * c.y + controlColor[2] * c.z;
  color.rg *= lit.scale;
  for (int i = 0; i < 2; ++i)
    color.rgb += lit.lights[i].color * lit.lights[i].power * 0.5;
  color.b += float(lit.numbers.x + lit.numbers.y + gl_PatchVerticesIn) / 18.0;
}

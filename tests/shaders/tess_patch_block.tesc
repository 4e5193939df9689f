// SPDX-License-Identifier: MIT
// A block of the patch, with arrays and a structure.
#version 450
struct Light {
  vec3 color;
  float power;
};
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 controlColor[];
layout(location = 2) patch out Lights {
  vec2 scale;
  Light lights[2];
  ivec2 numbers;
} lit;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  controlColor[gl_InvocationID] = vertexColor[gl_InvocationID];
  if (gl_InvocationID == 1) {
    lit.scale = vec2(0.5, 0.75);
    for (int i = 0; i < 2; ++i) {
      lit.lights[i].color = vertexColor[i].bgr;
      lit.lights[i].power = 0.25 + 0.25 * float(i);
    }
    lit.numbers = ivec2(gl_PatchVerticesIn, gl_PrimitiveID & 3);
  }
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 2.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 4.0;
    gl_TessLevelInner[0] = 3.0;
  }
}

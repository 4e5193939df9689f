// SPDX-License-Identifier: MIT
// Several render targets with holes, of float, integer and narrow types.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 t0;
layout(location = 2) out ivec2 t2;
layout(location = 3) out float t3;
layout(location = 5) out uvec4 t5;
layout(location = 7) out vec3 t7;

void main() {
  t0 = color;
  t2 = ivec2(color.xy * 100.0);
  t3 = color.z;
  t5 = uvec4(color * 255.0);
  t7 = color.zyx;
}

// SPDX-License-Identifier: MIT
// Shows a little of every input.
#version 450
layout(location = 0) in mat2x3 rows;
layout(location = 2) in vec2 places[2];
layout(location = 4) flat in uvec3 numbers;
layout(location = 5) noperspective in vec2 linear;
layout(location = 5, component = 2) noperspective in float third;
layout(location = 6) in Shade {
  vec4 light;
  float dark[2];
} shade;
layout(location = 0) out vec4 target;

void main() {
  target.rgb = rows * vec2(0.5, 0.25) + shade.light.rgb * 0.25;
  target.r += (places[0].x + places[1].y) * 0.25 + third * 0.125;
  target.g += float(numbers.y & 3u) * 0.125 + linear.x * 0.125;
  target.a = shade.dark[0] + shade.dark[1] + float(numbers.z) * 0.0625;
}

// SPDX-License-Identifier: MIT
// Component qualifiers on fragment inputs and on the colour output.
#version 450
layout(location = 0, component = 0) in vec2 low;
layout(location = 0, component = 2) in vec2 high;
layout(location = 1, component = 3) in float last;
layout(location = 0, component = 0) out vec3 color;
layout(location = 0, component = 3) out float alpha;

void main() {
  color = vec3(low, high.x);
  alpha = last * high.y;
}

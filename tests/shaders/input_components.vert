// SPDX-License-Identifier: MIT
// Component qualifiers: several inputs and outputs share a location.
#version 450
layout(location = 0, component = 0) in vec2 position;
layout(location = 0, component = 2) in float depth;
layout(location = 0, component = 3) in float alpha;
layout(location = 1, component = 1) in vec3 normal;
layout(location = 0, component = 0) out vec2 low;
layout(location = 0, component = 2) out vec2 high;
layout(location = 1, component = 3) out float last;

void main() {
  gl_Position = vec4(position, depth, 1.0);
  low = normal.xy;
  high = vec2(normal.z, depth);
  last = alpha;
}

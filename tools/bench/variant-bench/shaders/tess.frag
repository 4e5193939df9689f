// SPDX-License-Identifier: MIT
#version 450
layout(set = 1, binding = 0) uniform sampler2D grass;
layout(set = 1, binding = 1) uniform sampler2D rock;
layout(set = 1, binding = 2) uniform Sun { vec4 direction, color, ambient; };
layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) in vec2 texCoord;
layout(location = 0) out vec4 target;

void main() {
  vec3 n = normalize(worldNormal);
  vec4 ground = mix(texture(rock, texCoord * 8.0), texture(grass, texCoord * 16.0), smoothstep(0.5, 0.9, n.y));
  float above = clamp(worldPosition.y * 0.1 + 0.5, 0.0, 1.0);
  target = vec4(ground.rgb * (above * ambient.rgb + color.rgb * max(dot(n, direction.xyz), 0.0)), 1.0);
}

// SPDX-License-Identifier: MIT
// Phong lighting with a normal map and a shadow: eight varyings.
#version 450
layout(set = 0, binding = 0) uniform Camera {
  mat4 view;
  mat4 projection;
  mat4 shadow;
  vec4 eye;
  vec4 fog; // colour, density
};
layout(push_constant) uniform Object { mat4 model; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in vec4 color;
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) out vec3 worldTangent;
layout(location = 3) out vec3 worldBitangent;
layout(location = 4) out vec2 texCoord;
layout(location = 5) out vec4 tint;
layout(location = 6) out vec4 shadowCoord;
layout(location = 7) out float fogAmount;

void main() {
  vec4 world = model * vec4(position, 1.0);
  mat3 turn = mat3(model);
  worldPosition = world.xyz;
  worldNormal = normalize(turn * normal);
  worldTangent = normalize(turn * tangent.xyz);
  worldBitangent = cross(worldNormal, worldTangent) * tangent.w;
  texCoord = uv;
  tint = color;
  shadowCoord = shadow * world;
  fogAmount = 1.0 - exp(-fog.w * distance(eye.xyz, world.xyz));
  gl_Position = projection * view * world;
}

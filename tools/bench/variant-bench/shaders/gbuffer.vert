// SPDX-License-Identifier: MIT
// Deferred shading: four attributes and four targets.
#version 450
layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  mat4 lastViewProjection;
};
layout(push_constant) uniform Object { mat4 model; };
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 color;
layout(location = 0) out vec3 worldNormal;
layout(location = 1) out vec2 texCoord;
layout(location = 2) out vec4 tint;
layout(location = 3) out vec4 clip;
layout(location = 4) out vec4 lastClip;

void main() {
  vec4 world = model * vec4(position, 1.0);
  worldNormal = mat3(model) * normal;
  texCoord = uv;
  tint = color;
  clip = viewProjection * world;
  lastClip = lastViewProjection * world;
  gl_Position = clip;
}

// SPDX-License-Identifier: MIT
// Phong lighting: transforms with a normal matrix.
#version 450
layout(set = 0, binding = 0) uniform Camera {
  mat4 view;
  mat4 projection;
};
layout(push_constant) uniform Object {
  mat4 model;
  vec4 tint;
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec3 viewPosition;
layout(location = 1) out vec3 viewNormal;
layout(location = 2) out vec2 texCoord;
layout(location = 3) flat out vec4 color;

void main() {
  mat4 modelView = view * model;
  vec4 p = modelView * vec4(position, 1.0);
  viewPosition = p.xyz;
  viewNormal = transpose(inverse(mat3(modelView))) * normal;
  texCoord = uv;
  color = tint;
  gl_Position = projection * p;
}

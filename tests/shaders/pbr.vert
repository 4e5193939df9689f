// SPDX-License-Identifier: MIT
// PBR pair: transforms, a tangent frame, and shadow coordinates.
#version 450
layout(set = 0, binding = 0) uniform Camera {
  mat4 view;
  mat4 projection;
  mat4 shadowTransforms[3];
  vec4 eyeAndTime;
};
layout(push_constant) uniform Object {
  mat4 model;
  vec4 uvTransform; // scale xy, offset zw
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent; // w: handedness
layout(location = 3) in vec2 uv;
layout(location = 4) in vec4 vertexColor;
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) out vec4 worldTangent;
layout(location = 3) out vec2 texCoord;
layout(location = 4) out vec4 color;
layout(location = 5) out float viewDepth;

void main() {
  vec4 world = model * vec4(position, 1.0);
  mat3 turn = mat3(model);
  mat3 cofactors = mat3(cross(turn[1], turn[2]), cross(turn[2], turn[0]), cross(turn[0], turn[1]));
  vec4 inView = view * world;
  worldPosition = world.xyz;
  worldNormal = normalize(cofactors * normal);
  worldTangent = vec4(normalize(turn * tangent.xyz), tangent.w);
  texCoord = uv * uvTransform.xy + uvTransform.zw;
  color = vertexColor;
  viewDepth = -inView.z;
  gl_Position = projection * inView;
}

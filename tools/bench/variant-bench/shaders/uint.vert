// SPDX-License-Identifier: MIT
// Picking: what is drawn is the number of an object, packed with its material.
#version 450
layout(push_constant) uniform Object {
  mat4 modelViewProjection;
  uint firstObject;
};
layout(location = 0) in vec3 position;
layout(location = 1) in uvec2 objectMaterial;
layout(location = 0) flat out uvec2 packed;

void main() {
  packed = uvec2(firstObject + objectMaterial.x, objectMaterial.y);
  gl_Position = modelViewProjection * vec4(position, 1.0);
}

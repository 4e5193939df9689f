// SPDX-License-Identifier: MIT
// A std140 block with nested structures, arrays and matrices, indexed by variables.
#version 450
struct Bone {
  vec3 offset;
  float weight;
  mat3 rotation;
};
layout(std140, set = 0, binding = 0) uniform Block {
  mat4 projection;
  float scales[5];
  Bone bones[4];
  vec2 pairs[3][2];
  ivec3 indices;
  bool flip;
};
layout(location = 0) in vec3 position;

void main() {
  int i = gl_VertexIndex & 3;
  Bone bone = bones[i];
  vec3 p = bone.rotation * position * scales[i] + bone.offset * bone.weight;
  p.xy += pairs[i % 3][indices.y & 1];
  gl_Position = projection * vec4(flip ? -p : p, 1.0);
}

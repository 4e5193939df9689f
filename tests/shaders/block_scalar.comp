// SPDX-License-Identifier: MIT
// Scalar block layout: vec3 arrays without padding, 16-bit members.
#version 450
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
struct Vertex {
  vec3 position;
  f16vec3 normal;
  uint16_t material;
  float weights[3];
};
layout(scalar, set = 0, binding = 0) buffer Vertices { Vertex vertices[]; };
layout(scalar, set = 0, binding = 1) uniform Scale {
  vec3 scale;
  float shared_;
  vec2 steps[3];
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  vertices[i].position *= scale + vec3(steps[i % 3u], shared_);
  vertices[i].normal = f16vec3(normalize(vec3(vertices[i].normal)));
  vertices[i].material += uint16_t(1);
  vertices[i].weights[2] = dot(vertices[i].position, vec3(vertices[i].weights[0], vertices[i].weights[1], 1.0));
}

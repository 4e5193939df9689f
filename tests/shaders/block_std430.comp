// SPDX-License-Identifier: MIT
// Storage blocks in std430: structures loaded and stored whole, runtime array with length().
#version 450
layout(local_size_x = 64) in;
struct Particle {
  vec3 position;
  float age;
  vec2 velocity;
  uint flags[2];
};
layout(std430, set = 0, binding = 0) readonly buffer Source {
  uint count;
  Particle particles[];
} source;
layout(std430, set = 0, binding = 1) writeonly buffer Target { Particle particles[]; } target;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= min(source.count, uint(source.particles.length())))
    return;
  Particle particle = source.particles[i];
  particle.age += 1.0;
  particle.flags[i & 1u] ^= 0xffu;
  target.particles[i] = particle;
}

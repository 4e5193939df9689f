// SPDX-License-Identifier: MIT
// A particle step: attraction, noise, collision, respawn through an atomic counter.
#version 450
layout(local_size_x = 256) in;
struct Particle {
  vec4 positionAge;
  vec4 velocityMass;
};
layout(std430, set = 0, binding = 0) buffer Particles { Particle particles[]; };
layout(std430, set = 0, binding = 1) buffer Counters { uint alive; uint respawned; };
layout(set = 0, binding = 2) uniform Settings {
  vec4 attractors[4];
  vec3 emitter;
  float step_;
  uint seed;
  float lifetime;
};

uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

float random(inout uint state) {
  state = scramble(state + 0x9e3779b9u);
  return float(state >> 8) / 16777216.0;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= uint(particles.length()))
    return;
  uint state = scramble(seed ^ i);
  Particle particle = particles[i];
  particle.positionAge.w += step_;
  if (particle.positionAge.w > lifetime) {
    atomicAdd(respawned, 1u);
    float angle = random(state) * 6.2831853;
    float height = random(state) * 2.0 - 1.0;
    float radius = sqrt(1.0 - height * height);
    particle.positionAge = vec4(emitter, 0.0);
    particle.velocityMass.xyz = vec3(cos(angle) * radius, height, sin(angle) * radius);
  } else {
    vec3 force = vec3(0.0, -9.8, 0.0);
    for (int k = 0; k < 4; ++k) {
      vec3 d = attractors[k].xyz - particle.positionAge.xyz;
      force += d * attractors[k].w * inversesqrt(pow(dot(d, d) + 0.01, 3.0));
    }
    particle.velocityMass.xyz += force * step_ / particle.velocityMass.w;
    particle.positionAge.xyz += particle.velocityMass.xyz * step_;
    if (particle.positionAge.y < 0.0) {
      particle.positionAge.y = -particle.positionAge.y;
      particle.velocityMass.y *= -0.6;
    }
    atomicAdd(alive, 1u);
  }
  particles[i] = particle;
}

// SPDX-License-Identifier: MIT
// Screen-space ambient occlusion with a hemisphere kernel.
#version 450
layout(set = 0, binding = 0) uniform sampler2D depthMap;
layout(set = 0, binding = 1) uniform sampler2D normalMap;
layout(set = 0, binding = 2) uniform sampler2D noise;
layout(set = 0, binding = 3) uniform Kernel {
  mat4 projection;
  mat4 inverseProjection;
  vec4 samples[16];
  vec2 noiseScale;
  float radius;
  float bias;
};
layout(location = 0) in vec2 uv;
layout(location = 0) out float occlusion;

vec3 viewPosition(vec2 at) {
  vec4 p = inverseProjection * vec4(at * 2.0 - 1.0, textureLod(depthMap, at, 0.0).r, 1.0);
  return p.xyz / p.w;
}

void main() {
  vec3 p = viewPosition(uv);
  vec3 n = normalize(texture(normalMap, uv).xyz * 2.0 - 1.0);
  vec3 random = normalize(texture(noise, uv * noiseScale).xyz);
  vec3 t = normalize(random - n * dot(random, n));
  mat3 frame = mat3(t, cross(n, t), n);
  float sum = 0.0;
  for (int i = 0; i < 16; ++i) {
    vec3 s = p + frame * samples[i].xyz * radius;
    vec4 clip = projection * vec4(s, 1.0);
    vec2 at = clip.xy / clip.w * 0.5 + 0.5;
    float depth = viewPosition(at).z;
    float range = smoothstep(0.0, 1.0, radius / abs(p.z - depth));
    sum += depth >= s.z + bias ? range : 0.0;
  }
  occlusion = 1.0 - sum / 16.0;
}

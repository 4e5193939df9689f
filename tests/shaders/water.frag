// SPDX-License-Identifier: MIT
// Water surface: refraction by depth, reflection from a cube map, Fresnel and foam.
#version 450
layout(set = 0, binding = 0) uniform Ocean {
  mat4 viewProjection;
  vec4 waves[6];
  vec3 eye;
  float time;
};
layout(set = 1, binding = 0) uniform sampler2D sceneColor;
layout(set = 1, binding = 1) uniform sampler2D sceneDepth;
layout(set = 1, binding = 2) uniform samplerCube sky;
layout(set = 1, binding = 3) uniform sampler2D ripples;
layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) noperspective in vec2 screenUv;
layout(location = 0) out vec4 target;

void main() {
  vec3 detail = texture(ripples, worldPosition.xz * 0.1 + time * 0.02).xyz * 2.0 - 1.0;
  detail += texture(ripples, worldPosition.zx * 0.23 - time * 0.03).xyz * 2.0 - 1.0;
  vec3 n = normalize(worldNormal + vec3(detail.x, 0.0, detail.y) * 0.3);
  vec3 v = normalize(eye - worldPosition);
  vec2 shifted = clamp(screenUv + n.xz * 0.03, 0.001, 0.999);
  float depth = textureLod(sceneDepth, shifted, 0.0).r;
  if (depth < gl_FragCoord.z)
    shifted = screenUv;
  float thickness = max(depth - gl_FragCoord.z, 0.0) * 200.0;
  vec3 below = texture(sceneColor, shifted).rgb * exp(-thickness * vec3(0.45, 0.12, 0.06));
  vec3 above = texture(sky, reflect(-v, n)).rgb;
  float fresnel = 0.02 + 0.98 * pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 5.0);
  float foam = smoothstep(0.6, 0.0, thickness) * smoothstep(0.2, 0.8, detail.z);
  target = vec4(mix(below, above, fresnel) + foam, 1.0);
}

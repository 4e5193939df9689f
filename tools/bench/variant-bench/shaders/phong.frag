// SPDX-License-Identifier: MIT
#version 450
struct Light {
  vec4 position; // and radius
  vec4 color;
};
layout(set = 0, binding = 0) uniform Camera {
  mat4 view;
  mat4 projection;
  mat4 shadow;
  vec4 eye;
  vec4 fog;
};
layout(set = 1, binding = 0) uniform Lights {
  Light lights[4];
  vec4 ambient;
};
layout(set = 1, binding = 1) uniform sampler2D albedo;
layout(set = 1, binding = 2) uniform sampler2D normalMap;
layout(set = 1, binding = 3) uniform sampler2DShadow shadowMap;
layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) in vec3 worldTangent;
layout(location = 3) in vec3 worldBitangent;
layout(location = 4) in vec2 texCoord;
layout(location = 5) in vec4 tint;
layout(location = 6) in vec4 shadowCoord;
layout(location = 7) in float fogAmount;
layout(location = 0) out vec4 target;

void main() {
  vec4 base = texture(albedo, texCoord) * tint;
  vec3 bent = texture(normalMap, texCoord).xyz * 2.0 - 1.0;
  vec3 n = normalize(mat3(worldTangent, worldBitangent, worldNormal) * bent);
  vec3 v = normalize(eye.xyz - worldPosition);
  float lit = textureProj(shadowMap, shadowCoord);
  vec3 sum = ambient.rgb * base.rgb;
  for (int i = 0; i < 4; ++i) {
    vec3 toLight = lights[i].position.xyz - worldPosition;
    float away = length(toLight);
    vec3 l = toLight / away;
    float fade = clamp(1.0 - away / lights[i].position.w, 0.0, 1.0);
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(reflect(-l, n), v), 0.0), 32.0);
    sum += lights[i].color.rgb * (base.rgb * diffuse + specular) * (fade * lit);
  }
  target = vec4(mix(sum, fog.rgb, fogAmount), base.a);
}

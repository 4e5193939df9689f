// SPDX-License-Identifier: MIT
// Phong lighting: a loop over point lights with attenuation.
#version 450
struct Light {
  vec3 position;
  float radius;
  vec3 color;
  float intensity;
};
layout(set = 1, binding = 0) uniform Lights {
  Light lights[8];
  vec3 ambient;
  int lightCount;
};
layout(set = 1, binding = 1) uniform sampler2D albedo;
layout(location = 0) in vec3 viewPosition;
layout(location = 1) in vec3 viewNormal;
layout(location = 2) in vec2 texCoord;
layout(location = 3) flat in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  vec4 base = texture(albedo, texCoord) * color;
  vec3 n = normalize(viewNormal);
  vec3 v = normalize(-viewPosition);
  vec3 sum = ambient * base.rgb;
  for (int i = 0; i < lightCount; ++i) {
    vec3 toLight = lights[i].position - viewPosition;
    float distance_ = length(toLight);
    if (distance_ > lights[i].radius)
      continue;
    vec3 l = toLight / distance_;
    float fade = 1.0 - distance_ / lights[i].radius;
    float diffuse = max(dot(n, l), 0.0);
    float specular = diffuse > 0.0 ? pow(max(dot(reflect(-l, n), v), 0.0), 32.0) : 0.0;
    sum += lights[i].color * (lights[i].intensity * fade * fade) * (base.rgb * diffuse + specular);
  }
  target = vec4(sum, base.a);
}

#version 450

layout(location = 0) in vec3 surfaceNormal;
layout(location = 0) out vec4 color;

layout(push_constant) uniform Constants {
  mat4 transform;
  int lightCount;
};

struct Light {
  vec3 direction;
  vec3 color;
};
layout(set = 0, binding = 0) uniform Lights {
  Light lights[8];
};

void main() {
  vec3 normal = normalize(surfaceNormal);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < lightCount; ++i)
    sum += lights[i].color * max(dot(normal, lights[i].direction), 0.0);
  color = vec4(sum, 1.0);
}

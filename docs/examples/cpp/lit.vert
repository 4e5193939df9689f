#version 450

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 surfaceNormal;

layout(push_constant) uniform Constants {
  mat4 transform;
  int lightCount;
};

void main() {
  gl_Position = transform * vec4(position, 1.0);
  surfaceNormal = normal;
}

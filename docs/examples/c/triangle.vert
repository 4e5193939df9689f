#version 450

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 vertexColor;

layout(push_constant) uniform Constants {
  vec2 offset;
};

void main() {
  gl_Position = vec4(position.xy + offset, position.z, 1.0);
  vertexColor = color;
}

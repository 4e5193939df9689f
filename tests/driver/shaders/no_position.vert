#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec3 world;
layout(location = 1) out vec4 outColor;

void main() {
  world = position * 0.5;
  outColor = color;
}

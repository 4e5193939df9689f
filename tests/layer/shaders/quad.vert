#version 450
layout(push_constant) uniform Place { vec2 offset; float scale; } place;
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 passed;
void main() {
  passed = color;
  gl_Position = vec4(position * place.scale + place.offset, 0, 1);
}

#version 460
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
  vec2 inside = gl_SamplePosition;
#ifdef VULKAN
  inside.y = 1.0 - inside.y;
#endif
  color = vec4(inside, uv * 0.25 + 0.5);
}

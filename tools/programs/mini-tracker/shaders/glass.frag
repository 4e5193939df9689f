#version 450
// Blended; its edges are less transparent than what is seen from the front.
layout(set = 0, binding = 0, std140) uniform Uniforms {
  mat4 view_projection;
  mat4 model;
  vec4 tint;
  vec4 eye;
  vec4 fog;
  int light_count;
  int has_texture;
  float time;
};
layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 0) out vec4 result;

void main() {
  float facing = abs(dot(normalize(world_normal), normalize(eye.xyz - world_position)));
  result = vec4(tint.rgb, mix(0.8, 0.25, facing));
}

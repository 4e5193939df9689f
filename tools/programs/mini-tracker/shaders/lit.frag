#version 450
// Lights with highlights. How many there are is a uniform, so that the loop cannot be unrolled before it is known.
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
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 surface;
layout(location = 3) in vec4 vertex_color;
layout(location = 4) in float visibility;
layout(location = 0) out vec4 result;

void main() {
  vec3 base = vertex_color.rgb;
  if (has_texture != 0)
    base *= texture(image, surface).rgb;
  vec3 n = normalize(world_normal);
  vec3 to_eye = normalize(eye.xyz - world_position);
  vec3 sum = base * 0.15;
  for (int i = 0; i < light_count; ++i) {
    float angle = 2.1 * float(i) + time;
    vec3 light = vec3(3.0 * cos(angle), 2.5, 3.0 * sin(angle));
    vec3 to_light = normalize(light - world_position);
    float diffuse = max(dot(n, to_light), 0.0);
    float highlight = pow(max(dot(n, normalize(to_light + to_eye)), 0.0), 24.0);
    sum += base * diffuse * 0.6 + vec3(0.4) * highlight;
  }
  result = vec4(mix(fog.rgb, sum, visibility), 1.0);
}

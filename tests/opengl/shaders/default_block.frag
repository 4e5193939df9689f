#version 460
struct Light {
  vec3 direction;
  float power;
  mat2 turn;
};
// Uniforms outside of blocks, declared in another order than that of their locations.
#ifdef VULKAN
#extension GL_EXT_scalar_block_layout : require
layout(set = 5, binding = 4, std430) uniform Default {
  vec4 tint;
  float strength;
  mat3 turned;
  Light lights[2];
  vec2 offsets[3];
  ivec3 whole;
  dvec2 exact;
};
#else
layout(location = 12) uniform ivec3 whole;
layout(location = 1) uniform float strength;
layout(location = 3) uniform Light lights[2];
layout(location = 0) uniform vec4 tint;
layout(location = 2) uniform mat3 turned;
layout(location = 9) uniform vec2 offsets[3];
layout(location = 13) uniform dvec2 exact;
#endif
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

vec3 lit(Light light) {
  return light.direction * light.power + vec3(light.turn * uv, 0.5);
}

void main() {
  int chosen = int(gl_FragCoord.x) % 3;
  color = tint * strength + vec4(turned * vec3(uv, 1.0), 1.0);
  color.xy += offsets[chosen] + lights[chosen & 1].turn[1];
  color.xyz += lit(lights[1]) * 0.25 + vec3(whole);
  color.w += float(exact.y);
}

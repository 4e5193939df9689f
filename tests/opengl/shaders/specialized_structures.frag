#version 460
// How many textures there are in front of another one is known when the shader is specialised: with 3.
layout(constant_id = 3) const int Count = 2;
#ifdef VULKAN
#extension GL_EXT_scalar_block_layout : require
layout(set = 5, binding = 4, std430) uniform Default {
  float many_weights[Count + 1];
  vec4 many_sum;
};
layout(set = 6, binding = 4) uniform sampler2D many_first[Count];
layout(set = 6, binding = 4 + 3) uniform sampler2D many_last;
#else
struct Many {
  sampler2D first[Count];
  sampler2D last;
  float weights[Count + 1];
  vec4 sum;
};
layout(location = 4) uniform Many many;
#define many_first many.first
#define many_last many.last
#define many_weights many.weights
#define many_sum many.sum
#endif
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
  color = many_sum + textureLod(many_first[0], uv, 0.0) * many_weights[Count - 1];
  color += textureLod(many_first[1], uv, 1.0) + textureLod(many_last, uv.yx, 0.0) * many_weights[Count];
}

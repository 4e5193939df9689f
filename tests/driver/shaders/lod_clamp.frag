#version 450
#extension GL_ARB_sparse_texture_clamp : require
// The least LOD that an instruction gives, also with a bias, an offset and a comparison.
layout(binding = 0) uniform sampler2D plain;
layout(binding = 1) uniform sampler2DArray layered;
layout(binding = 2) uniform sampler2DShadow shadow;
layout(location = 0) in vec2 uv;
layout(location = 1) in float least;
layout(location = 0) out vec4 color;

void main() {
  color = 0.4 * textureClampARB(plain, uv, 1.0 + least) + 0.3 * textureClampARB(layered, vec3(uv, 1.0), 2.0 * least, 0.25) +
          0.2 * textureOffsetClampARB(plain, uv, ivec2(1, 2), 2.0) + 0.1 * textureClampARB(shadow, vec3(uv, 0.5), 1.0);
}

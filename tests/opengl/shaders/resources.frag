#version 460
// Every kind of resource is numbered for itself, so all of them can have the same number.
#ifdef VULKAN
#define UNIFORM_BLOCK layout(set = 0, binding = 2, std140)
#define STORAGE_BLOCK layout(set = 1, binding = 2, std430)
#define TEXTURE layout(set = 2, binding = 2)
#define IMAGE layout(set = 3, binding = 2, rgba8)
#define TEXTURE_AT_7 layout(set = 6, binding = 7)
#define TEXTURES_AT_8 layout(set = 6, binding = 8)
#else
#define UNIFORM_BLOCK layout(binding = 2, std140)
#define STORAGE_BLOCK layout(binding = 2, std430)
#define TEXTURE layout(binding = 2)
#define IMAGE layout(binding = 2, rgba8)
#define TEXTURE_AT_7 layout(location = 7, binding = 2)
#define TEXTURES_AT_8 layout(location = 8, binding = 4)
#endif
UNIFORM_BLOCK uniform Block { vec4 base; };
STORAGE_BLOCK readonly buffer Storage { vec4 stored[4]; };
TEXTURE uniform sampler2D picture;
IMAGE readonly uniform image2D image;
TEXTURE_AT_7 uniform sampler2D other;
TEXTURES_AT_8 uniform samplerCube cubes[2];
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
  color = base * 0.25 + stored[1] * 0.25 + textureLod(picture, uv, 0.0);
  color += imageLoad(image, ivec2(gl_FragCoord.x, 1)) + textureLod(other, uv.yx, 1.0);
  color += textureLod(cubes[0], vec3(1.0, uv), 0.0) - textureLod(cubes[1], vec3(uv, -1.0), 0.0);
}

#version 460
// Rectangles are sampled with coordinates in texels.
#ifdef VULKAN
layout(set = 2, binding = 0) uniform sampler2D image;
layout(set = 2, binding = 1) uniform sampler2DShadow depths;
layout(set = 2, binding = 2) uniform usampler2D numbers;
#define AT(image, place) ((place) / vec2(textureSize(image, 0)))
#define LOD0 , 0
#define SIZE(image) textureSize(image, 0)
#else
layout(binding = 0) uniform sampler2DRect image;
layout(binding = 1) uniform sampler2DRectShadow depths;
layout(binding = 2) uniform usampler2DRect numbers;
#define AT(image, place) (place)
#define LOD0
#define SIZE(image) textureSize(image)
#endif
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
  vec2 place = vec2(3.3, 2.2) + uv * 9.0;
  color = texture(image, AT(image, place));
  color += textureProj(image, vec3(AT(image, place), 1.0) * 2.0);
  color += textureGrad(image, AT(image, place), AT(image, vec2(1.0, 0.5)), AT(image, vec2(0.0, 0.75)));
  color += textureOffset(image, AT(image, place), ivec2(1, -2));
  color += textureGather(image, AT(image, place), 1);
  color += texelFetch(image, ivec2(place) LOD0);
  color.x += texture(depths, vec3(AT(depths, place), 0.5));
  color += vec4(textureGather(numbers, AT(numbers, floor(place) + 0.9), 0));
  color.yz += vec2(SIZE(image)) * 0.0625;
  color *= 0.25;
}

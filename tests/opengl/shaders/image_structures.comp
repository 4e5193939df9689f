#version 460
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8, local_size_y = 8) in;
#ifdef VULKAN
#extension GL_EXT_scalar_block_layout : require
struct Layer { vec4 tint; };
layout(set = 5, binding = 5, std430) uniform Default {
  int chosen;
  Layer layers[2];
};
layout(set = 6, binding = 5) uniform image2D pictures[4];
#define PICTURE(layer, picture) pictures[(layer) * 2 + (picture)]
#else
struct Layer {
  vec4 tint;
  image2D pictures[2];
};
layout(location = 0) uniform int chosen;
layout(location = 4) uniform Layer layers[2];
#define PICTURE(layer, picture) layers[layer].pictures[picture]
#endif

void main() {
  ivec2 place = ivec2(gl_LocalInvocationID.xy);
  vec4 texel = imageLoad(PICTURE(0, 0), place) * layers[chosen].tint + vec4(imageSize(PICTURE(chosen, 1)).xyxy);
  imageStore(PICTURE(chosen, 1), place, texel);
  imageStore(PICTURE(1, 0), place, texel.wzyx);
}

#version 460
layout(local_size_x = 8, local_size_y = 8) in;
#ifdef VULKAN
layout(set = 3, binding = 1, r32ui) uniform uimage2D image;
#else
layout(binding = 1, r32ui) uniform uimage2DRect image;
#endif

void main() {
  ivec2 place = ivec2(gl_LocalInvocationID.xy);
  uint old = imageLoad(image, place).x;
  imageStore(image, place, uvec4(old * 3u + uint(imageSize(image).y)));
  imageAtomicAdd(image, place + ivec2(8, 0), 5u);
}

#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1) uniform sampler2D image;
void main() {
  uint i = gl_GlobalInvocationID.x;
  numbers[i] = packUnorm4x8(textureLod(image, vec2(float(i) / 160.0 - 0.3, float(i % 16u) / 16.0), 0.0));
}

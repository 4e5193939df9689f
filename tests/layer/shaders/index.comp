#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1) uniform sampler2D images[4];
void main() {
  numbers[4] = packUnorm4x8(textureLod(images[numbers[0] & 3u], vec2(0.5), 0.0));
}

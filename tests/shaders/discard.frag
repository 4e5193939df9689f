// SPDX-License-Identifier: MIT
// Discard under conditions, in a function and before further work with derivatives.
#version 450
layout(location = 0) in vec4 p;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 target;

void test(float alpha) {
  if (alpha < 0.5)
    discard;
}

void main() {
  vec4 texel = texture(image, p.xy);
  test(texel.w);
  if (p.z < 0.0) {
    if (p.w > 0.0)
      discard;
    texel *= 0.5;
  }
  target = texel + textureLod(image, p.zw, 1.0); // derivatives are undefined by now
}

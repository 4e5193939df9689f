// SPDX-License-Identifier: MIT
// Separate images and samplers, one image with two samplers, images passed to functions.
#version 450
layout(set = 0, binding = 0) uniform texture2D albedo;
layout(set = 0, binding = 1) uniform sampler nearest;
layout(set = 0, binding = 2) uniform sampler linear;
layout(set = 0, binding = 3) uniform texture2DArray depth;
layout(set = 0, binding = 4) uniform samplerShadow compare;
layout(set = 0, binding = 5) uniform sampler2D combined;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

vec4 twice(sampler2D image, vec2 at) { return texture(image, at) + texture(image, at.yx); }

void main() {
  target = texture(sampler2D(albedo, nearest), p.xy) - texture(sampler2D(albedo, linear), p.xy);
  target *= texture(sampler2DArrayShadow(depth, compare), p);
  target += twice(combined, p.zw);
}

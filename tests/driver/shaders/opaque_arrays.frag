// SPDX-License-Identifier: MIT
// What opaque_arrays.frag.spvasm computes, in a form that Mesa compiles.
#version 450
layout(binding = 0) uniform sampler2D textures[4];
layout(binding = 1) uniform texture2D images[4];
layout(binding = 2) uniform sampler theSampler;
layout(push_constant) uniform Constants { uint number; };
layout(location = 0) out vec4 color;

void main() {
  vec2 at = gl_FragCoord.xy * 0.013;
  color = texture(sampler2D(images[2], theSampler), at) + texture(textures[number & 3u], at);
}

// SPDX-License-Identifier: MIT
// Arrays of textures and of blocks, as parameters and by computed index.
#version 450
layout(binding = 0) uniform sampler2D textures[4];
layout(binding = 1) uniform Block { vec4 tint; } blocks[3];
layout(push_constant) uniform Constants { uint number; };
layout(location = 0) out vec4 color;

vec4 read(sampler2D given[4], uint index, vec2 at) {
  return texture(given[1], at) + texture(given[index], at);
}

vec4 readOnce(sampler2D given[4], vec2 at) {
  return read(given, number & 3u, at) * 0.5;
}

void main() {
  vec2 at = gl_FragCoord.xy * 0.013;
  color = readOnce(textures, at) * blocks[number % 3u].tint;
}

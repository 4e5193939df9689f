// SPDX-License-Identifier: MIT
#version 450
layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(location = 0) in vec2 texCoord;
layout(location = 0) out vec4 target;

void main() { target = texture(albedo, texCoord); }

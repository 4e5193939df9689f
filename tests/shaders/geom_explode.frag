// SPDX-License-Identifier: MIT
// The texture.
#version 450
layout(set = 0, binding = 1) uniform sampler2D directions;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

void main() { target = texture(directions, uv); }

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec2 first;
layout(location = 1) in vec2 second;
layout(location = 0) out vec4 target;
void main() { target = vec4(first, second); }

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in ivec4 value;
void main() { gl_Position = vec4(value); }

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }

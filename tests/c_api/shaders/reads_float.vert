#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 value;
void main() { gl_Position = value; }

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in double value;
void main() { gl_Position = vec4(float(value)); }

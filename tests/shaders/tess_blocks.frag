// SPDX-License-Identifier: MIT
// The interpolated colour, darkened by an integer.
#version 450
layout(location = 0) in vec4 color;
layout(location = 1) flat in int id;
layout(location = 0) out vec4 target;

void main() { target = color * (0.5 + float(id) / 16.0); }

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat in vec4 shade;
layout(location = 0) out vec4 color;
void main() { color = shade; }

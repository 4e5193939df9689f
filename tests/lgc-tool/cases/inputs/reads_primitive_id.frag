// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) out vec4 target;
void main() { target = vec4(gl_PrimitiveID); }

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out ivec4 value;
void main() { value = ivec4(gl_FragCoord); }

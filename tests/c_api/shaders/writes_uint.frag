#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) out uvec4 value;
void main() { value = uvec4(gl_FragCoord); }

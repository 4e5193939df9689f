// SPDX-License-Identifier: MIT
// The interpolated colour and integers of the provoking vertex.
#version 450
layout(location = 0) in vec4 color;
layout(location = 1) flat in ivec2 ids;
layout(location = 0) out vec4 target;

void main() { target = vec4(color.rg, float(ids.x & 7) / 7.0, float(ids.y) * 0.25 + 0.25 * color.a); }

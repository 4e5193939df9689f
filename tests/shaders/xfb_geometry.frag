// SPDX-License-Identifier: MIT
// The interpolated colour and a number.
#version 450
layout(location = 0) in vec4 color;
layout(location = 1) flat in uint number;
layout(location = 0) out vec4 target;

void main() { target = vec4(color.rgb, float(number & 15u) / 15.0); }

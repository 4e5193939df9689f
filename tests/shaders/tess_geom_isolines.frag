// SPDX-License-Identifier: MIT
// The interpolated colour and the number of the patch.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() { target = vec4(color.rgb, float(gl_PrimitiveID & 3) / 3.0); }

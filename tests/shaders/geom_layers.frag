// SPDX-License-Identifier: MIT
// The interpolated colour and the layer.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() { target = vec4(color.rgb, 0.25 + 0.25 * float(gl_Layer)); }

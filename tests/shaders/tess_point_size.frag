// SPDX-License-Identifier: MIT
// The colour of a point, and where in the point.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() { target = vec4(color.rgb, gl_PointCoord.x); }

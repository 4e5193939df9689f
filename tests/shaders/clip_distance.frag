// SPDX-License-Identifier: MIT
// Clip distances read by the fragment shader, with the point coordinate.
#version 450
in float gl_ClipDistance[3];
layout(location = 0) out vec4 target;

void main() { target = vec4(gl_ClipDistance[0], gl_ClipDistance[2], gl_PointCoord); }

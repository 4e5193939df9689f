// SPDX-License-Identifier: MIT
// Facing, point coordinate and early fragment tests.
#version 450
layout(early_fragment_tests) in;
layout(location = 0) out vec4 target;

void main() { target = gl_FrontFacing ? vec4(gl_PointCoord, 0.0, 1.0) : vec4(1.0); }

// SPDX-License-Identifier: MIT
// Layer, viewport index and primitive number as fragment inputs.
#version 450
layout(location = 0) out ivec4 target;

void main() { target = ivec4(gl_Layer, gl_ViewportIndex, gl_PrimitiveID, 0); }

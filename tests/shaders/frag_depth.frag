// SPDX-License-Identifier: MIT
// Depth output with a conservative layout, and the fragment coordinate.
#version 450
layout(depth_greater) out float gl_FragDepth;
layout(location = 0) out vec4 target;

void main() {
  target = vec4(gl_FragCoord.xy * 0.01, gl_FragCoord.z, 1.0 / gl_FragCoord.w);
  gl_FragDepth = gl_FragCoord.z + 0.125;
}

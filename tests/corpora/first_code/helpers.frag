// SPDX-License-Identifier: MIT
// A loop in which lanes become helpers while others of their quads wait behind it, for these lanes' values.
#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(std430, binding = 0) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 color;

void main() {
  uint column = uint(gl_FragCoord.x);
  uint sum = 0u;
  for (uint i = 0u; i < (column & 1u) * 3u; ++i) {
    demote;
    sum += counts[i & 7u] & 15u;
  }
  color = vec4(dFdx(float(column * column)), float(sum), 0.0, 1.0);
}

// SPDX-License-Identifier: MIT
// A table of tables, with integers of a second one as offsets.
#version 450
layout(location = 0) out vec4 color;
const mat2x3 Rows[4] = mat2x3[](mat2x3(1, 2, 3, 4, 5, 6), mat2x3(7, 8, 9, 1, 3, 5), mat2x3(2, 4, 6, 8, 0, 9), mat2x3(6, 1, 7, 2, 8, 3));
const uint Offsets[4] = uint[](3u, 0u, 2u, 1u);
void main() {
  uint i = uint(gl_FragCoord.x) & 3u, j = uint(gl_FragCoord.y) & 1u;
  color = vec4(Rows[Offsets[i]][j], float(Offsets[(i + j) & 3u])) / 9.0;
}

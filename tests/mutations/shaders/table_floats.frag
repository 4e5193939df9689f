// SPDX-License-Identifier: MIT
// A table of floats, of which every pixel reads another entry.
#version 450
layout(location = 0) out vec4 color;
const float Table[16] = float[](3, 1, 4, 1.5, 5, 9, 2, 6, 5.5, 3.5, 8, 9.5, 7, 9.25, 3.25, 2.25);
void main() {
  int i = int(gl_FragCoord.x) & 15;
  int j = int(gl_FragCoord.y) & 15;
  color = vec4(Table[i], Table[j], Table[15 - i], Table[(i + j) & 15]) * 0.1;
}

// SPDX-License-Identifier: MIT
// Two tables of vectors, one indexed by the other.
#version 450
layout(location = 0) out vec4 color;
const int Order[8] = int[](5, 2, 7, 0, 6, 3, 1, 4);
const vec4 Palette[8] = vec4[](vec4(0, 0.125, 0.25, 1), vec4(1, 0.5, 0.75, 0.5), vec4(0.5, 0, 1, 0.25), vec4(0.75, 1, 0.5, 0),
                               vec4(0.25, 0.75, 0, 0.75), vec4(0.125, 0.25, 0.375, 0.5), vec4(0.625, 0.75, 0.875, 1),
                               vec4(0.3, 0.6, 0.9, 0.1));
void main() {
  color = Palette[Order[(int(gl_FragCoord.x) + int(gl_FragCoord.y) * 3) & 7]];
}

// SPDX-License-Identifier: MIT
// An output array and partly, conditionally written outputs.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 targets[3];
layout(location = 4) out vec4 partial;

void main() {
  for (int i = 0; i < 3; ++i)
    targets[i] = color * float(i);
  if (color.x > 0.5)
    partial.xz = color.yw;
  else
    partial.w = 1.0;
}

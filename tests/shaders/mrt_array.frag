// SPDX-License-Identifier: MIT
// An output array and an output that is written in parts, some of them conditionally.
#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 targets[3];
layout(location = 4) out vec4 partial;

void main() {
  for (int i = 0; i < 3; ++i)
    targets[i] = color * float(i);
  // One component for all, others on one way or the other, so that none is undefined.
  partial.y = color.z;
  partial.w = 0.5;
  if (color.x > 0.5) {
    partial.xz = color.yw;
  } else {
    partial.z = 0.25;
    partial.w = 1.0;
    partial.x = color.x;
  }
}

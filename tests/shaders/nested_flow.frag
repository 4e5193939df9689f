// SPDX-License-Identifier: MIT
// Deeply nested conditions, early return from main and from loops inside functions.
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

float search(float start, float step_) {
  float x = start;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 5; ++j) {
      if (x > 4.0)
        return x;
      x += step_ * float(j);
    }
    if (x < -4.0)
      return -x;
  }
  return 0.0;
}

void main() {
  target = vec4(0.0);
  if (p.x < 0.0) {
    if (p.y < 0.0) {
      target.x = 1.0;
      return;
    } else if (p.z < 0.0) {
      target.y = search(p.x, p.w);
    } else {
      if (p.w > 0.5 && p.z > 0.25 || p.y > 0.75)
        return;
      target.z = 1.0;
    }
  } else {
    target = p.x > 2.0 ? p : (p.y > 2.0 ? p.yzwx : vec4(search(p.y, 0.1)));
  }
  target.w += 0.5;
}

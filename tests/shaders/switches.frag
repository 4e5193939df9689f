// SPDX-License-Identifier: MIT
// Switches with fallthrough, default in the middle, nested in loops, with returns.
#version 450
layout(location = 0) flat in ivec2 choice;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 target;

vec4 pick(int which) {
  switch (which) {
  case 0:
    return color.xxxx;
  case 1:
  case 2:
    return color.yyyy;
  default:
    return vec4(0.5);
  case 7:
    break;
  }
  return color.wzyx;
}

void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < choice.y; ++i) {
    switch (choice.x + i) {
    case 1:
      sum += color;
    case 2:
      sum *= 2.0;
      break;
    case 3:
      continue;
    default:
      sum -= pick(i);
      if (sum.x < -10.0)
        break;
      sum.y += 1.0;
    }
    sum.z += 0.25;
  }
  target = sum + pick(choice.x);
}

// SPDX-License-Identifier: MIT
// Short-circuit logic with side effects and selections of all types.
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;
int counter = 0;

bool touch(float x) {
  ++counter;
  return x > 0.5;
}

void main() {
  bool a = touch(p.x) && touch(p.y) || touch(p.z) && !touch(p.w);
  mat2 m = a ? mat2(p) : mat2(1.0);
  ivec3 i = touch(p.y) ? ivec3(counter) : ivec3(p.xyz);
  vec2 v = counter > 2 ? (counter > 3 ? p.xy : p.yz) : p.zw;
  target = vec4(m * v, vec2(i.xy)) + (a != touch(p.x) ? 1.0 : 0.0);
}

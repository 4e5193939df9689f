// SPDX-License-Identifier: MIT
// Swizzles, dynamic component access, constant arrays, nested aggregates, comparison of aggregates.
#version 450
layout(location = 0) in vec4 p;
layout(location = 1) flat in int index;
layout(location = 0) out vec4 target;

struct Inner {
  vec2 a;
  int b[2];
};
struct Outer {
  Inner inner[2];
  mat2 m;
};
const vec4 Table[6] = vec4[](vec4(1, 0, 0, 1), vec4(0, 1, 0, 1), vec4(0, 0, 1, 1), vec4(1, 1, 0, 1), vec4(0), vec4(1));

void main() {
  Outer x = Outer(Inner[](Inner(p.xy, int[](1, 2)), Inner(p.zw, int[](3, index))), mat2(p));
  Outer y = x;
  y.inner[index & 1].b[1] = 4;
  y.m[index & 1] *= 2.0;
  vec4 v = p;
  v[index & 3] = 7.0;
  v.zx = v.xy;
  v.yw *= y.inner[1].a;
  bool same = x == y || x.inner[0] != y.inner[1];
  target = Table[index % 6] + v + (same ? vec4(y.m) : p.wwzz) + vec4(p[index & 3]) + float(y.inner[index & 1].b[index & 1]);
}

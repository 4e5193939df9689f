// SPDX-License-Identifier: MIT
// GLSL.std.450: length, distance, dot and cross products, normalisation, reflection, refraction.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 target;

void main() {
  float r = length(a) + length(a.xy) + length(a.x) + distance(a, b) + distance(a.xyz, b.xyz) + dot(a, b) + dot(a.xy, b.yx);
  vec3 v = cross(a.xyz, b.xyz) + normalize(a.xyz) + faceforward(a.xyz, b.xyz, a.zyx);
  v += reflect(a.xyz, b.xyz) + refract(a.xyz, b.xyz, 0.75);
  v.xy += normalize(b.xy) + reflect(a.xy, b.zw) + refract(a.zw, b.xy, b.x);
  v.z += normalize(a.x) + faceforward(a.x, b.x, b.y);
  target = vec4(v, r);
}

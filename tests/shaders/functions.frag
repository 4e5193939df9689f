// SPDX-License-Identifier: MIT
// Functions with in, out and inout parameters, structures and arrays by value, overloads, globals.
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

struct Ray {
  vec3 origin;
  vec3 direction;
  float limits[2];
};
int calls = 0;
vec4 accumulated = vec4(0.0);

void advance(inout Ray ray, in float by) {
  ray.origin += ray.direction * by;
  ray.limits[0] -= by;
  ++calls;
}

bool hits(const Ray ray, out float at) {
  at = -ray.origin.y / ray.direction.y;
  return at > ray.limits[0] && at < ray.limits[1];
}

float total(float values[4]) {
  values[0] *= 2.0;
  return values[0] + values[1] + values[2] + values[3];
}

float total(vec4 v) { return v.x + v.y + v.z + v.w; }

Ray makeRay(vec4 from) { return Ray(from.xyz, normalize(from.zyx), float[](0.0, from.w)); }

void swap(inout float a, inout float b) {
  float c = a;
  a = b;
  b = c;
}

void main() {
  Ray ray = makeRay(p);
  advance(ray, 0.5);
  float at;
  if (hits(ray, at))
    accumulated += vec4(at);
  vec4 v = p;
  swap(v.x, v.w);
  float values[4] = float[](v.x, v.y, v.z, 1.0);
  swap(values[0], values[calls]);
  target = accumulated + total(values) + total(v);
}

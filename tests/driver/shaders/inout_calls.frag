#version 460
// What functions get by reference: glslang makes a variable for each call, and copies to it and back.
struct Light {
  vec4 color[3];
  mat3 turn;
  int count;
};
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;

vec4 total = vec4(0.25);

// Leaves in the middle.
void dim(inout Light light, int i) {
  if (a.x > 0.75)
    return;
  light.color[i] *= b * 0.5;
  light.count++;
}
void brighten(inout Light light, out vec4 before) {
  before = light.color[light.count % 3];
  dim(light, 1);
  if (b.y < 0.5)
    dim(light, light.count % 3);
  light.color[2] += light.color[1] * 0.25;
}
// Both are copies of one variable in one of the calls: the one that is copied back last counts.
void exchange(inout vec4 x, inout vec4 y) {
  vec4 old = x;
  x = y + 0.125;
  y = old * 0.5;
}
// Its argument is a copy, so it does not see that the global changes, nor the other way round.
void addTo(inout vec4 sum) {
  total += 0.125;
  sum += total;
}
// Not all of it is written.
void fill(out vec4 v, bool all) {
  v.xy = a.zw;
  if (all)
    v.zw = b.xy;
}
void twice(inout Light light, inout vec4 v) {
  for (int i = 0; i < 2; ++i) {
    vec4 before;
    brighten(light, before);
    exchange(v, before);
    v += before * 0.0625;
  }
}

void main() {
  Light light;
  light.color = vec4[](a, b, a * b);
  light.turn = mat3(a.xyz, b.xyz, a.zxy);
  light.count = int(a.w * 4.0);
  vec4 v = b, w;
  twice(light, v);
  exchange(v, v);
  addTo(total);
  fill(w, true);
  vec4 kept = light.color[0]; // read in front of the call and used behind it
  dim(light, 0);
  exchange(light.color[0], light.color[1]);
  color = (v + total + w + kept + light.color[0] + light.color[2] + float(light.count)) * 0.1;
  color.xyz += light.turn * light.color[1].xyz * 0.1;
}

#version 460
// More values are live at once than there are VGPRs: the first half of a merged program uses all that it may.
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(location = 0) flat out uint sum;
#define TEN(M, name) \
  M(name##0) M(name##1) M(name##2) M(name##3) M(name##4) M(name##5) M(name##6) M(name##7) M(name##8) M(name##9)
#define HUNDRED(M, name) \
  TEN(M, name##0) TEN(M, name##1) TEN(M, name##2) TEN(M, name##3) TEN(M, name##4) \
  TEN(M, name##5) TEN(M, name##6) TEN(M, name##7) TEN(M, name##8) TEN(M, name##9)
#define ALL(M) HUNDRED(M, a) HUNDRED(M, b) HUNDRED(M, c)
#define LOAD(name) uint name = words[at++ & 1023u]; all = all * 3u + name;
#define ADD(name) sum = sum * 5u + (name ^ all);
void main() {
  uint at = uint(gl_VertexIndex) * 7u;
  uint all = 0u;
  ALL(LOAD)
  words[1024u + uint(gl_VertexIndex & 63)] = all;
  sum = all;
  ALL(ADD)
  gl_Position = vec4(float(gl_VertexIndex & 1) * 3.0 - 1.0, float(gl_VertexIndex >> 1 & 1) * 3.0 - 1.0, 0.5, 1.0);
}

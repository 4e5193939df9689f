#version 460
// Fragments end here and there; those that go on, and only those, count.
layout(set = 0, binding = 0) buffer Counts { uint counts[16]; };
layout(location = 0) out vec4 target;

void count(uint place) {
  atomicAdd(counts[place], place + 1u);
}

uint ended(uint k) {
  if (k % 11u == 3u)
    discard;
  count(8u);
  return k;
}

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint k = at.x * 5u + at.y * 7u;
  count(0u);
  if (k % 3u == 0u)
    discard;
  count(1u);
  for (uint i = 0u; i < k % 5u; ++i) {
    if ((k ^ i) % 13u == 0u)
      discard;
    count(2u);
    if ((k + i) % 6u == 0u)
      break;
  }
  if (k % 2u == 0u) {
    count(3u);
    if (k % 8u != 4u && k % 7u == 1u)
      discard;
    count(4u);
  } else {
    if (k % 5u == 0u) {
      count(5u);
      discard;
    }
    count(6u);
  }
  count(7u);
  k = ended(k);
  target = vec4(float(k), dFdx(gl_FragCoord.x) * 0.0, float(k % 3u), 1.0);
}

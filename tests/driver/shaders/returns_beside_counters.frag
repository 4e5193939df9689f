#version 460
// A loop that all fragments leave by a return or none, others one by one. The counter is uniform, the end is not, and
// behind the return neither has a value: LLVM reads the first lane of nothing.
layout(location = 0) out uvec4 target;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) uniform Leave { uint leave; };
layout(set = 0, binding = 2) buffer Given { uint given[]; };

void main() {
  uint i = uint(gl_FragCoord.y) * 64u + uint(gl_FragCoord.x);
  uint n = 0u, end = 0u;
  target = uvec4(7u);
  for (;;) {
    uint a = data[3u * i], b = data[3u * i + 1u], c = data[3u * i + 2u];
    data[3u * i] = b;
    data[3u * i + 1u] = c;
    data[3u * i + 2u] = a;
    if (leave == 0x12345u)
      return;
    if (given[i & 31u] != 0u)
      end = given[((n & 1u) != 0u ? 26u : 2u) + ((n * n) ^ (n >> 2))] & 7u;
    if (++n >= end)
      break;
  }
  target.x = n;
}

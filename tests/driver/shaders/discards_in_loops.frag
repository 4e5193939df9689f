#version 460
// Fragments end inside of loops and switches, by conditions from anywhere; who is left writes what it has counted.
layout(set = 0, binding = 0) buffer Counts { uint ended[16]; };
layout(push_constant) uniform Numbers { uint rounds; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint k = at.x * 7u + at.y * 3u, sum = 0u;
  bool far = (k * 11u & 12u) == 0u, odd = (k & 1u) != 0u, flips = (k & 6u) == 4u;
  bool once = (at.y & 2u) == 0u;
  // Conditions that do not change in the loop, and such that its end depends on.
  for (uint i = 0u; i < (at.x & 3u) + (rounds & 1u); ++i) {
    sum += i * at.x;
    if (((sum >> 1) & 7u) == 3u)
      discard;
    if (far)
      break;
    if (once && (at.y & 8u) != 0u) {
      if (flips)
        discard;
      if (odd)
        continue;
      sum = sum * 3u + 5u;
    } else {
      switch ((k >> 2) + i & 7u) {
      case 0u:
        if (far || (at.y & 8u) == 0u)
          discard;
        sum += 9u;
        break;
      case 1u:
        if (odd)
          continue;
      case 3u:
        if (flips)
          discard;
        sum += 1u;
        break;
      case 5u:
        for (uint j = 0u; j < (at.y & 3u); ++j)
          if ((sum + j & 15u) == 7u)
            discard;
        break;
      case 6u:
        target = uvec4(sum, 6u, k, 1u);
        return;
      }
    }
    flips = once && !flips;
  }
  switch (k & 3u) {
  case 0u:
    sum += far ? 23u : 13u;
    break;
  case 1u:
    if (far)
      discard;
    break;
  case 2u:
    sum += 7u;
  case 3u:
    if (flips && odd)
      discard;
    break;
  }
  atomicAdd(ended[sum & 15u], 1u);
  target = uvec4(sum, k, uint(far), 1u);
}

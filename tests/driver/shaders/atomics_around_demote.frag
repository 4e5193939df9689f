#version 460
#extension GL_EXT_demote_to_helper_invocation : require
// Atomics on the same places in front of and behind a demote: the second ones take in the fragments that are left.
layout(set = 0, binding = 0) buffer Sums { uint sums[8]; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint k = at.x * 5u + at.y * 3u;
  atomicAdd(sums[0], k);
  atomicMax(sums[1], k);
  if ((k & 7u) == 3u || at.x == 31u)
    demote;
  atomicAdd(sums[2], k);
  atomicMax(sums[3], at.x);
  if (at.y > 20u && (k & 1u) != 0u)
    demote;
  atomicAdd(sums[4], 1u);
  atomicOr(sums[5], k & 255u);
  target = uvec4(k, dFdxFine(float(at.x)) == 1.0, 0u, 1u);
}

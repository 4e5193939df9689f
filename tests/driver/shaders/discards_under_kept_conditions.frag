#version 460
// The condition of a discard is computed outside of the branch that it is in, for all fragments.
layout(set = 0, binding = 0) buffer Hits { uint hits[4]; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  bool far = at.x > 18u;
  uint sum = far ? 25u : 75u;
  if (at.y > 9u) {
    atomicAdd(hits[0], 1u);
    if (far)
      discard;
    atomicAdd(hits[1], 1u);
  }
  if ((at.x & 5u) == 4u) {
    atomicAdd(hits[2], sum);
    if (far || at.y < 3u)
      discard;
  }
  atomicAdd(hits[3], 1u);
  target = uvec4(sum, at, 1u);
}

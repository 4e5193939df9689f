#version 460
#extension GL_EXT_nonuniform_qualifier : require
// A loop that lanes leave one by one reads a buffer behind a loop over the lanes' descriptors. What is read of the same
// buffer behind it takes such a loop, too. In front of it and behind it are stores and atomics, in which helpers take no
// part, and derivatives, which need them.
layout(set = 0, binding = 0) buffer Written { uint written[4096]; };
layout(set = 0, binding = 1) readonly buffer Read { uint numbers[64]; };
layout(set = 0, binding = 2) readonly buffer Others { uint others[64]; } buffers[2];
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint place = at.y * 32u + at.x & 1023u, sum = 0u, i = 0u;
  written[3072u + place] = at.x;
  do {
    sum += buffers[nonuniformEXT(at.x & 1u)].others[i & 63u];
    written[place] = numbers[0] + sum;
  } while (++i < (at.x + at.y & 7u));
  written[1024u + place] = i;
  uint read = numbers[0];
  if (read != 2u)
    sum += buffers[nonuniformEXT(at.y & 1u)].others[1];
  int slope = int(dFdxFine(float(at.x * at.x)));
  atomicAdd(written[2048u + place], sum | 1u);
  int bend = int(dFdyFine(float(at.y * (at.y | i & 1u))));
  atomicAdd(written[3072u + place], uint(slope) | 1u);
  target = uvec4(read, uint(slope), i, uint(bend));
}

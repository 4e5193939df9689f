#version 460
#extension GL_EXT_buffer_reference : require
// Whole quads take one way of a branch, as they load by an address there. In front of the other way, helpers are left
// out for good.
layout(buffer_reference, std430) readonly buffer Others { uint others[]; };
layout(set = 0, binding = 0) buffer Written { uint written[4096]; };
layout(set = 0, binding = 1) readonly buffer Numbers { uvec2 numbers[64]; };
layout(push_constant) uniform Constants { Others address; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint place = at.y * 32u + at.x & 1023u;
  atomicMax(written[3072], 1u);
  int slope = int(dFdxFine(float(at.x * at.x)));
  written[1024u + place] = uint(slope);
  uint chosen;
  if ((numbers[at.x + at.y * 3u & 63u].x | numbers[at.x & 63u].y) != 0u)
    chosen = address.others[0] & 0xffffu;
  else
    chosen = at.x & 1u;
  atomicAdd(written[2048u + place], chosen | 1u);
  target = uvec4(chosen);
}

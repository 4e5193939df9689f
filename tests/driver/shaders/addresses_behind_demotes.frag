#version 460
#extension GL_EXT_demote_to_helper_invocation : require
// All pixels of a branch are demoted. What is read behind that is indexed by numbers that are the same in all lanes, and
// that vector instructions compute.
layout(set = 0, binding = 0) readonly buffer Words { uint words[64]; };
layout(set = 0, binding = 1) readonly buffer Tables { uint word; } tables[4];
layout(push_constant) uniform Pushed { uint pushed[24]; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint sum = 1u;
  if ((at.x & 2u) == 0u) {
    uint chosen = 64u;
    for (uint i = 0u; i < (words[3] & 3u); ++i)
      chosen = i * 7u;
    if ((at.y & 64u) == 0u)
      demote;
    sum += pushed[chosen % 24u] + tables[words[5] % 3u].word;
  }
  target = uvec4(sum);
}

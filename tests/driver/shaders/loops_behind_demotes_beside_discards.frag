#version 460
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// As loops_behind_demotes.frag, but fragments on the other side of the branch are discarded, which may come later.
layout(set = 0, binding = 0) buffer Written { uint written[32]; };
layout(set = 0, binding = 1) readonly buffer Counts { uint8_t counts[64]; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint chosen = 1u;
  if ((at.x & 2u) == 0u) {
    for (uint i = 0u; i <= (uint(counts[2]) & 3u); ++i) {
      if ((at.y & 64u) == 0u)
        demote;
      atomicAdd(written[at.x & 15u], at.y);
    }
    chosen = 2u;
  } else if ((at.y & 1u) == 0u) {
    discard;
  }
  target = uvec4(chosen);
}

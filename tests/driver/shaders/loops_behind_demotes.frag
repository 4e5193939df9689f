#version 460
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Loops behind demotes of all pixels that are there. Their counts are loaded as vectors, although they are the same for
// all pixels, so comparisons say when they end.
layout(set = 0, binding = 0) buffer Written { uint written[4096]; };
layout(set = 0, binding = 1) readonly buffer Counts { uint8_t counts[64]; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint place = at.y * 32u + at.x & 1023u, chosen = 1u;
  if ((at.x & 1u) == 0u) {
    if ((at.y & 1u) == 0u) {
      demote;
      for (uint i = 0u;; ++i) {
        written[place + 1024u * i] = i;
        if (i >= (uint(counts[i & 3u]) & 3u))
          break;
        written[place] = uint(counts[i]);
      }
    }
    for (uint i = 0u;; ++i) {
      written[place + 512u * i] = i;
      if (i >= (uint(counts[i & 7u]) & 7u))
        break;
      written[place] = uint(counts[i]);
    }
    chosen = 2u;
  }
  target = uvec4(chosen);
}

#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Discards under a condition that all fragments of a branch share, in front of loops that end by such a condition: with
// EXEC = 0, what VALU computes of it is false. One of the two discards is taken, whatever the buffer holds.
layout(set = 0, binding = 0) buffer Written { uint written[32]; };
layout(set = 0, binding = 1) readonly buffer Counts { uint8_t counts[64]; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  float count = float(counts[2]) * 0.5;
  uint chosen = 1u;
  if ((at.x & 4u) == 0u) {
    if (count > 3.0)
      discard;
    for (float f = 0.0; !(f >= count); f += 1.0)
      atomicAdd(written[at.x & 15u], at.y);
    for (float f = 0.0;; f += 1.0) {
      atomicAdd(written[at.x & 15u], 1u);
      if (f >= count)
        break;
    }
    chosen = 2u;
  } else if ((at.x & 2u) == 0u) {
    if (count > 1.0) {
      atomicAdd(written[16], 1u);
      if (count <= 3.0)
        discard;
      chosen = 3u;
    } else {
      atomicAdd(written[17], 1u);
      discard;
    }
    for (float f = 0.0; !(f >= count); f += 1.0)
      atomicAdd(written[at.x & 15u], at.y);
    for (float f = 0.0;; f += 1.0) {
      atomicAdd(written[at.x & 15u], 1u);
      if (f >= count)
        break;
    }
    chosen += 4u;
  }
  target = uvec4(chosen);
}

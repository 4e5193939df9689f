// SPDX-License-Identifier: MIT
// Loops that only end by a discard, in a branch that some lanes of a wave take.
#version 450
layout(location = 0) out vec4 color;
layout(push_constant) uniform Constants { uint step; };

void main() {
  color = vec4(1.0);
  uint n = 0u;
#if defined(UNIFORM)
  if (gl_FragCoord.x > 33.0)
    for (;;)
      if (step < 0xffffffffu)
        discard;
#elif defined(TWO)
  if (gl_FragCoord.x > 33.0)
    for (;;) {
      n += step + 1u;
      if (n > uint(gl_FragCoord.y))
        discard;
      if (n > 2u * uint(gl_FragCoord.x))
        discard;
    }
#elif defined(NESTED)
  if (gl_FragCoord.x > 33.0)
    for (;;)
      for (uint i = 0u; i < 9u; ++i) {
        n += step + 1u;
        if (n > uint(gl_FragCoord.y) + 3u)
          discard;
        if (n > 50u)
          break;
      }
#else // the other way out is never taken
  if (gl_FragCoord.x > 33.0)
    for (;;) {
      n += step + 1u;
      if (n > uint(gl_FragCoord.y))
        discard;
      if (n == 0u)
        break;
    }
#endif
  color.y = 0.5;
  gl_FragDepth = 0.25;
}

#version 460
// Uniform values that are loaded between stores, where helper invocations take no part, and read where whole quads do.
layout(set = 0, binding = 0) buffer Written { uint written[4096]; };
layout(set = 0, binding = 1) buffer Numbers { uint numbers[64]; };
layout(set = 0, binding = 2) uniform sampler2D images[3];
layout(push_constant) uniform Constants { uint chosen; };
layout(location = 0) out uvec4 target;

void main() {
  uvec2 at = uvec2(gl_FragCoord.xy);
  uint place = at.y * 32u + at.x & 1023u;
  written[place] = at.x;
  uint first = numbers[3], second = numbers[chosen & 7u];
  uint picked = first > second ? numbers[5] : 7u;
  float slope = dFdxFine(float(at.x * (picked & 3u)));
  written[1024u + place] = picked;
  uint third = numbers[picked & 15u];
  vec4 texel = textureGrad(images[third % 3u], vec2(at) / 32.0, vec2(slope), vec2(0.0));
  if (third > first)
    written[2048u + place] = third;
  target = uvec4(picked, uint(abs(slope)), third, uint(texel.x * 0.0) + uint(second));
}

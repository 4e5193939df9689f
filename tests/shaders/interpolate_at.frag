// SPDX-License-Identifier: MIT
// interpolateAtCentroid, interpolateAtSample and interpolateAtOffset.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) noperspective in vec2 b;
layout(location = 2) in float c;
layout(location = 0) out vec4 target;

void main() {
  target = interpolateAtCentroid(a) + interpolateAtSample(a, 0) + interpolateAtOffset(a, vec2(0.25, -0.25));
  target.xy += interpolateAtCentroid(b) + interpolateAtOffset(b, b * 0.1) + interpolateAtSample(b, gl_SampleID);
  target.z += interpolateAtOffset(c, vec2(0.5));
}

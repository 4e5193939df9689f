// SPDX-License-Identifier: MIT
// interpolateAtCentroid, interpolateAtSample and interpolateAtOffset. lavapipe divides what it interpolates elsewhere by
// the 1/w of the pixel (docs/lavapipe.md), so vectors with perspective are shown without their length.
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) noperspective in vec2 b;
layout(location = 2) in float c;
layout(location = 0) out vec4 target;

vec4 shape(vec4 v) {
  vec4 size = abs(v);
  return v / max(max(max(size.x, size.y), max(size.z, size.w)), 1e-20);
}

void main() {
  target = shape(interpolateAtCentroid(a)) + shape(interpolateAtSample(a, 0));
  vec2 elsewhere = vec2(0.25, -0.25);
  target += shape(vec4(interpolateAtOffset(a, elsewhere).xyz, interpolateAtOffset(c, elsewhere)));
  target.xy += interpolateAtCentroid(b) + interpolateAtOffset(b, b * 0.1) + interpolateAtSample(b, gl_SampleID);
}

// SPDX-License-Identifier: MIT
// Edge anti-aliasing with a search along the edge.
#version 450
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform Push { vec2 texel; };
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

float luma(vec2 at) { return dot(textureLod(image, at, 0.0).rgb, vec3(0.299, 0.587, 0.114)); }

void main() {
  float m = luma(uv);
  float n = luma(uv + vec2(0.0, -texel.y)), s = luma(uv + vec2(0.0, texel.y));
  float w = luma(uv + vec2(-texel.x, 0.0)), e = luma(uv + vec2(texel.x, 0.0));
  float low = min(m, min(min(n, s), min(w, e)));
  float high = max(m, max(max(n, s), max(w, e)));
  float contrast = high - low;
  if (contrast < max(0.03, high * 0.125)) {
    target = textureLod(image, uv, 0.0);
    return;
  }
  bool horizontal = abs(n + s - 2.0 * m) >= abs(w + e - 2.0 * m);
  vec2 across = horizontal ? vec2(0.0, texel.y) : vec2(texel.x, 0.0);
  vec2 along = horizontal ? vec2(texel.x, 0.0) : vec2(0.0, texel.y);
  float before = horizontal ? n : w, after = horizontal ? s : e;
  float opposite = after;
  if (abs(before - m) >= abs(after - m)) {
    across = -across;
    opposite = before;
  }
  float edge = (m + opposite) * 0.5;
  float gradient = max(abs(before - m), abs(after - m)) * 0.25;
  vec2 start = uv + across * 0.5;
  vec2 a = start - along, b = start + along;
  float la = luma(a) - edge, lb = luma(b) - edge;
  bool doneA = abs(la) >= gradient, doneB = abs(lb) >= gradient;
  for (int i = 0; i < 12 && !(doneA && doneB); ++i) {
    if (!doneA) {
      a -= along;
      la = luma(a) - edge;
      doneA = abs(la) >= gradient;
    }
    if (!doneB) {
      b += along;
      lb = luma(b) - edge;
      doneB = abs(lb) >= gradient;
    }
  }
  float da = horizontal ? uv.x - a.x : uv.y - a.y;
  float db = horizontal ? b.x - uv.x : b.y - uv.y;
  float nearest = da < db ? la : lb;
  float shift = (m - edge < 0.0) != (nearest < 0.0) ? 0.5 - min(da, db) / (da + db) : 0.0;
  target = textureLod(image, uv + across * shift, 0.0);
}

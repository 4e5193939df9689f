// SPDX-License-Identifier: MIT
// Exposure, filmic curve, colour grading with a 3D table, dithering and gamma.
#version 450
layout(set = 0, binding = 0) uniform sampler2D hdr;
layout(set = 0, binding = 1) uniform sampler2D bloom;
layout(set = 0, binding = 2) uniform sampler3D grade;
layout(std430, set = 0, binding = 3) readonly buffer Exposure { float averageLuminance; };
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

vec3 filmic(vec3 x) { return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0); }

void main() {
  vec3 color = texture(hdr, uv).rgb + texture(bloom, uv).rgb * 0.08;
  float key = 1.03 - 2.0 / (2.0 + log2(averageLuminance + 1.0));
  color = filmic(color * key / max(averageLuminance, 1e-4));
  color = textureLod(grade, color * (31.0 / 32.0) + 0.5 / 32.0, 0.0).rgb;
  vec3 encoded = mix(color * 12.92, 1.055 * pow(color, vec3(1.0 / 2.4)) - 0.055, greaterThan(color, vec3(0.0031308)));
  float dither = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  target = vec4(encoded + (dither - 0.5) / 255.0, 1.0);
}

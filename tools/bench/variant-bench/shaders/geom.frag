// SPDX-License-Identifier: MIT
#version 450
layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(set = 1, binding = 1) uniform sampler2D strands;
layout(location = 0) in vec3 worldNormal;
layout(location = 1) in vec3 shellUv;
layout(location = 0) out vec4 target;

void main() {
  float strand = texture(strands, shellUv.xy * 12.0).r;
  if (strand < shellUv.z)
    discard;
  float shade = mix(0.4, 1.0, shellUv.z) * (0.5 + 0.5 * normalize(worldNormal).y);
  target = vec4(texture(albedo, shellUv.xy).rgb * shade, 1.0 - shellUv.z);
}

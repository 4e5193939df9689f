// SPDX-License-Identifier: MIT
#version 450
layout(set = 1, binding = 0) uniform sampler2D albedo;
layout(set = 1, binding = 1) uniform sampler2D surface;
layout(location = 0) in vec3 worldNormal;
layout(location = 1) in vec2 texCoord;
layout(location = 2) in vec4 tint;
layout(location = 3) in vec4 clip;
layout(location = 4) in vec4 lastClip;
layout(location = 0) out vec4 baseTarget;
layout(location = 1) out vec4 normalTarget;
layout(location = 2) out vec4 surfaceTarget;
layout(location = 3) out vec4 motionTarget;

void main() {
  baseTarget = texture(albedo, texCoord) * tint;
  normalTarget = vec4(normalize(worldNormal) * 0.5 + 0.5, 1.0);
  surfaceTarget = texture(surface, texCoord);
  motionTarget = vec4(clip.xy / clip.w - lastClip.xy / lastClip.w, clip.z, 1.0);
}

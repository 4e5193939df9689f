// SPDX-License-Identifier: MIT
#version 450
layout(vertices = 4) out;
layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  vec4 eye;
  vec4 detail; // factor, nearest, farthest
};
layout(location = 0) in vec2 patchUv[];
layout(location = 0) out vec2 cornerUv[];

float factor(vec3 a, vec3 b) {
  float away = distance(eye.xyz, 0.5 * (a + b));
  return detail.x * (1.0 - smoothstep(detail.y, detail.z, away)) + 1.0;
}

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  cornerUv[gl_InvocationID] = patchUv[gl_InvocationID];
  vec3 a = gl_in[0].gl_Position.xyz, b = gl_in[1].gl_Position.xyz;
  vec3 c = gl_in[2].gl_Position.xyz, d = gl_in[3].gl_Position.xyz;
  gl_TessLevelOuter[0] = factor(a, d);
  gl_TessLevelOuter[1] = factor(a, b);
  gl_TessLevelOuter[2] = factor(b, c);
  gl_TessLevelOuter[3] = factor(c, d);
  gl_TessLevelInner[0] = 0.5 * (gl_TessLevelOuter[1] + gl_TessLevelOuter[3]);
  gl_TessLevelInner[1] = 0.5 * (gl_TessLevelOuter[0] + gl_TessLevelOuter[2]);
}

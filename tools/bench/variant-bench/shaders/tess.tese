// SPDX-License-Identifier: MIT
#version 450
layout(quads, fractional_even_spacing, ccw) in;
layout(set = 0, binding = 0) uniform Camera {
  mat4 viewProjection;
  vec4 eye;
  vec4 detail;
};
layout(set = 0, binding = 1) uniform sampler2D heights;
layout(location = 0) in vec2 cornerUv[];
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) out vec2 texCoord;

float height(vec2 at) { return textureLod(heights, at, 0.0).r * detail.w; }

void main() {
  vec2 t = gl_TessCoord.xy;
  texCoord = mix(mix(cornerUv[0], cornerUv[1], t.x), mix(cornerUv[3], cornerUv[2], t.x), t.y);
  vec3 p = mix(mix(gl_in[0].gl_Position.xyz, gl_in[1].gl_Position.xyz, t.x),
               mix(gl_in[3].gl_Position.xyz, gl_in[2].gl_Position.xyz, t.x), t.y);
  const float step_ = 1.0 / 512.0;
  float h = height(texCoord);
  worldNormal = normalize(vec3(h - height(texCoord + vec2(step_, 0.0)), step_, h - height(texCoord + vec2(0.0, step_))));
  worldPosition = p + vec3(0.0, h, 0.0);
  gl_Position = viewProjection * vec4(worldPosition, 1.0);
}

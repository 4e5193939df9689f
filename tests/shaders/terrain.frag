// SPDX-License-Identifier: MIT
// Terrain: triplanar texturing from an array texture, blended by slope and height, with fog.
#version 450
layout(set = 0, binding = 1) uniform Scene {
  mat4 viewProjection;
  vec4 sunDirection;
  vec2 worldSize;
  float heightScale;
};
layout(set = 1, binding = 0) uniform sampler2DArray layers;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 target;

vec3 triplanar(float layer, vec3 blend) {
  vec3 p = world * 0.1;
  return texture(layers, vec3(p.yz, layer)).rgb * blend.x + texture(layers, vec3(p.zx, layer)).rgb * blend.y +
         texture(layers, vec3(p.xy, layer)).rgb * blend.z;
}

void main() {
  vec3 n = normalize(normal);
  vec3 blend = pow(abs(n), vec3(4.0));
  blend /= blend.x + blend.y + blend.z;
  float slope = 1.0 - n.y;
  float snow = smoothstep(0.6, 0.75, world.y / heightScale - slope * 0.3);
  vec3 color = mix(triplanar(0.0, blend), triplanar(1.0, blend), smoothstep(0.2, 0.5, slope));
  vec3 white = triplanar(2.0, blend); // not where the derivatives would be undefined
  if (snow > 0.0)
    color = mix(color, white, snow);
  color *= max(dot(n, sunDirection.xyz), 0.0) * sunDirection.w + 0.2;
  float fog = 1.0 - exp(-0.002 / gl_FragCoord.w);
  target = vec4(mix(color, vec3(0.6, 0.7, 0.8), fog), 1.0);
}

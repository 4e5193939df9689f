// SPDX-License-Identifier: MIT
// Water surface: a sum of Gerstner waves with their normals.
#version 450
layout(set = 0, binding = 0) uniform Ocean {
  mat4 viewProjection;
  vec4 waves[6]; // direction xy, steepness, wavelength
  vec3 eye;
  float time;
};
layout(location = 0) in vec2 grid;
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 worldNormal;
layout(location = 2) noperspective out vec2 screenUv;

void main() {
  vec3 p = vec3(grid.x, 0.0, grid.y);
  vec3 tangent = vec3(1.0, 0.0, 0.0);
  vec3 binormal = vec3(0.0, 0.0, 1.0);
  for (int i = 0; i < 6; ++i) {
    float k = 6.2831853 / waves[i].w;
    float speed = sqrt(9.8 / k);
    vec2 d = normalize(waves[i].xy);
    float f = k * (dot(d, grid) - speed * time);
    float a = waves[i].z / k;
    p += vec3(d.x * a * cos(f), a * sin(f), d.y * a * cos(f));
    tangent += vec3(-d.x * d.x * waves[i].z * sin(f), d.x * waves[i].z * cos(f), -d.x * d.y * waves[i].z * sin(f));
    binormal += vec3(-d.x * d.y * waves[i].z * sin(f), d.y * waves[i].z * cos(f), -d.y * d.y * waves[i].z * sin(f));
  }
  worldPosition = p;
  worldNormal = normalize(cross(binormal, tangent));
  gl_Position = viewProjection * vec4(p, 1.0);
  screenUv = gl_Position.xy / gl_Position.w * 0.5 + 0.5;
}

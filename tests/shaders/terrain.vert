// SPDX-License-Identifier: MIT
// Terrain: heights from a texture, a normal by differences, instanced tiles.
#version 450
layout(set = 0, binding = 0) uniform sampler2D heights;
layout(set = 0, binding = 1) uniform Scene {
  mat4 viewProjection;
  vec4 sunDirection;
  vec2 worldSize;
  float heightScale;
};
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 tile; // per instance: offset xy, scale, level
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;

float height(vec2 at) { return textureLod(heights, at / worldSize, tile.w).r * heightScale; }

void main() {
  vec2 at = tile.xy + corner * tile.z;
  float step_ = tile.z / 32.0;
  float h = height(at);
  float dx = height(at + vec2(step_, 0.0)) - height(at - vec2(step_, 0.0));
  float dy = height(at + vec2(0.0, step_)) - height(at - vec2(0.0, step_));
  world = vec3(at.x, h, at.y);
  normal = normalize(vec3(-dx, 2.0 * step_, -dy));
  gl_Position = viewProjection * vec4(world, 1.0);
}

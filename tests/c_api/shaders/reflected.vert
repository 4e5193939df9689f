#version 450
// SPDX-License-Identifier: MIT
// Every kind of row that reflection has of a vertex shader.
layout(location = 0) in vec3 position;
layout(location = 3) in ivec2 cell;
layout(location = 5) in double weight;
layout(location = 6) in vec4 neverRead;
layout(location = 1) out flat uint kind;
layout(location = 2) noperspective centroid out vec2 place;
layout(push_constant) uniform Draw {
  layout(offset = 16) mat4 matrix;
  vec4 tint;
} draw;
struct Light {
  vec3 color;
  float range[2];
};
layout(set = 1, binding = 2, std140) uniform Lights { Light lights[4]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow shadows[3];
layout(set = 0, binding = 4, r32ui) uniform readonly uimageBuffer words;
layout(constant_id = 7) const float scale = 1.5;
layout(constant_id = 9) const bool flip = true;
layout(constant_id = 11) const int shift = -2;
void main() {
  gl_Position = draw.matrix * vec4(position, 1) * (flip ? scale : 1.0);
  gl_ClipDistance[1] = lights[cell.x].range[cell.y];
  kind = imageLoad(words, cell.x).x << shift;
  place = vec2(texture(shadows[0], vec4(0)) * float(weight)) * draw.tint.xy * lights[0].color.x;
}

// SPDX-License-Identifier: MIT
// Triangles are moved along a direction that comes from a texture and a uniform block.
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(set = 0, binding = 0) uniform Options { vec4 amount; };
layout(set = 0, binding = 1) uniform sampler2D directions;
layout(location = 0) in vec2 vertexUv[];
layout(location = 0) out vec2 uv;

void main() {
  vec2 center = (vertexUv[0] + vertexUv[1] + vertexUv[2]) / 3.0;
  vec2 move = textureLod(directions, center, 0.0).rg * 0.1 * clamp(amount.x, 0.0, 1.0);
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Position.xy += move * gl_Position.w;
    uv = vertexUv[i];
    EmitVertex();
  }
}

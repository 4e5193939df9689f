#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 shade;
layout(push_constant) uniform Constants { mat4 matrix; };
void main() {
  gl_Position = matrix * position;
  shade = vec3(normal.xy, 1);
}

#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D image;
void main() { color = texture(image, shade.xy) * shade.z; }

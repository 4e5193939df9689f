// SPDX-License-Identifier: MIT
// Double vertex inputs, of which a dvec3 takes two locations.
#version 450
layout(location = 0) in dvec3 position;
layout(location = 2) in double scale;
layout(location = 3) in dvec2 offset;

void main() { gl_Position = vec4(vec3(position * scale), 1.0) + vec4(vec2(offset), 0.0, 0.0); }

// SPDX-License-Identifier: MIT
// Lines between the edges of a patch, and its number.
#version 450
layout(isolines, equal_spacing) in;
layout(location = 0) in vec4 controlColor[];
layout(location = 0) out vec4 evaluated;
layout(location = 1) flat out int patchNumber;

void main() {
  vec2 c = gl_TessCoord.xy;
  vec4 start = mix(gl_in[0].gl_Position, gl_in[2].gl_Position, c.y);
  vec4 end = mix(gl_in[1].gl_Position, gl_in[3].gl_Position, c.y);
  gl_Position = mix(start, end, c.x);
  evaluated = mix(controlColor[0], controlColor[3], c.x) * (1.0 - 0.5 * c.y);
  patchNumber = gl_PrimitiveID;
}

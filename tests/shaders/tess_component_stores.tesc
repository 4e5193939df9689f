// SPDX-License-Identifier: MIT
// Single components of positions and outputs are stored one by one; two variables share a location.
#version 450
layout(vertices = 3) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec3 rgb[];
layout(location = 0, component = 3) out float alpha[];

void main() {
  vec4 position = gl_in[gl_InvocationID].gl_Position;
  gl_out[gl_InvocationID].gl_Position.zw = position.zw;
  gl_out[gl_InvocationID].gl_Position.x = position.x;
  gl_out[gl_InvocationID].gl_Position.y = position.y;
  vec4 color = vertexColor[gl_InvocationID];
  rgb[gl_InvocationID].b = color.r;
  rgb[gl_InvocationID].r = color.g;
  rgb[gl_InvocationID].g = color.b;
  alpha[gl_InvocationID] = color.a;
  barrier();
  if (rgb[(gl_InvocationID + 1) % 3].r > 0.5)
    rgb[gl_InvocationID].g = 1.0;
  if (gl_InvocationID == 0) {
    gl_TessLevelOuter[0] = 3.0;
    gl_TessLevelOuter[1] = 3.0;
    gl_TessLevelOuter[2] = 3.0;
    gl_TessLevelInner[0] = 2.0;
  }
}

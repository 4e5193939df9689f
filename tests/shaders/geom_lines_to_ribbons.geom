// SPDX-License-Identifier: MIT
// Each line becomes a ribbon of two triangles; the strip is not ended explicitly.
#version 450
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 vertexColor[];
layout(location = 0) out vec4 color;

void main() {
  vec2 along = gl_in[1].gl_Position.xy - gl_in[0].gl_Position.xy;
  vec2 across = vec2(-along.y, along.x) * 0.25;
  for (int i = 0; i < 4; ++i) {
    vec4 end = gl_in[i >> 1].gl_Position;
    gl_Position = vec4(end.xy + ((i & 1) == 0 ? across : -across), end.zw);
    color = vertexColor[i >> 1] * ((i & 1) == 0 ? 1.0 : 0.5);
    EmitVertex();
  }
}

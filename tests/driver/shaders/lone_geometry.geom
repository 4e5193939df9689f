#version 450
layout(lines) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 3) in vec4 color[];
layout(location = 0) out vec4 outColor;

void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i & 1].gl_Position + (i == 2 ? vec4(0.2, 0.1, 0, 0) : vec4(0));
    outColor = color[i & 1];
    EmitVertex();
  }
}

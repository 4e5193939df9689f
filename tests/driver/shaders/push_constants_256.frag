#version 450
// As many push constants as AMD's drivers have, and lavapipe has not.
layout(push_constant) uniform Constants { vec4 colors[16]; };
layout(binding = 0) uniform Block { vec4 other; };

layout(location = 0) out vec4 color;

void main() {
  color = 0.5 * colors[15] + 0.4 * colors[int(gl_FragCoord.x) & 15] + 0.1 * other;
}

#version 450
// Drawn with GL's alpha test, which the shader knows nothing of.
layout(location = 2) in vec2 surface;
layout(location = 3) in vec4 vertex_color;
layout(location = 0) out vec4 result;

void main() {
  vec2 p = surface * 2.0 - 1.0;
  float edge = 0.7 + 0.25 * cos(5.0 * atan(p.y, p.x));
  result = vec4(vertex_color.rgb * (0.6 + 0.4 * surface.y), clamp(edge - length(p) + 0.5, 0.0, 1.0));
}

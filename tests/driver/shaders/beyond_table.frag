#version 450
// Half of the pixels have a number that is beyond both tables.
layout(location = 0) out vec4 color;
const vec4 colors[6] = vec4[](vec4(1, 0, 0, 1), vec4(0, 1, 0, 1), vec4(0, 0.5, 1, 1), vec4(0.25, 0.5, 0.75, 1),
                              vec4(1, 0, 0.4, 0.3), vec4(0.1, 0.2, 0.3, 0.4));
const float weights[16] = float[](0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17);

void main() {
  int number = int(gl_FragCoord.x), far = int(gl_FragCoord.y) * 1000000 * (number / 6);
  color = colors[number + far] * weights[number * 2 + 3 - far];
}

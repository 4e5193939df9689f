#version 450
// Reads what earlier subpasses have drawn to the pixel, at indices that are not in the order of the bindings.
layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInput colors;
layout(input_attachment_index = 0, set = 0, binding = 3) uniform isubpassInput numbers;

layout(location = 0) out vec4 color;

void main() {
  color = subpassLoad(colors) * 0.5 + vec4(subpassLoad(numbers)) * 0.1;
}

#version 450
// A texture and nothing else.
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 2) in vec2 surface;
layout(location = 0) out vec4 result;

void main() { result = texture(image, surface); }

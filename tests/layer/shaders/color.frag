#version 450
layout(constant_id = 0) const float brightness = 1;
layout(location = 0) in vec4 passed;
layout(location = 0) out vec4 color;
void main() { color = vec4(passed.rgb * brightness, passed.a); }

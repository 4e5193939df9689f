#version 460
// Behind many_values.vert.
layout(location = 0) flat in uint got;
layout(location = 0) out uvec4 target;
void main() { target = uvec4(got); }

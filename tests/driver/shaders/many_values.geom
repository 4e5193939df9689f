#version 460
// Behind many_values.vert.
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint sum[];
layout(location = 0) flat out uint got;
void main() {
  for (int i = 0; i < 3; ++i) {
    got = sum[i] + uint(gl_InvocationID);
    gl_Position = gl_in[i].gl_Position;
    EmitVertex();
  }
}

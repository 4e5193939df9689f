#version 460
// Behind many_values.vert.
layout(vertices = 3) out;
layout(location = 0) flat in uint sum[];
layout(location = 0) out uint all[];
void main() {
  all[gl_InvocationID] = sum[gl_InvocationID] + uint(gl_PrimitiveID) + uint(gl_InvocationID);
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;
  gl_TessLevelInner[0] = 1.0;
}

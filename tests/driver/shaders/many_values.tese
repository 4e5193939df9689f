#version 460
// Behind many_values.vert.
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in uint all[];
layout(location = 0) flat out uint got;
void main() {
  got = all[0] * 3u + all[1] * 5u + all[2];
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position;
}

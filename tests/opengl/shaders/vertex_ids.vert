#version 460
#ifdef VULKAN
#define gl_VertexID gl_VertexIndex
#define gl_InstanceID (gl_InstanceIndex - gl_BaseInstance)
#endif
layout(location = 0) out vec4 shade;

void main() {
  int corner = gl_VertexID % 3;
  vec2 place = vec2(corner == 1 ? 0.9 : -0.9, corner == 2 ? 0.9 : -0.9);
  gl_Position = vec4(place * (1.0 - 0.3 * float(gl_InstanceID)), 0.5, 1.0);
  shade = vec4(gl_VertexID, gl_InstanceID, gl_BaseInstance, 8.0) / 8.0;
}

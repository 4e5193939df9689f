#version 450
layout(vertices = 4) out;
layout(location = 0) in vec3 normal[];
layout(location = 1) in ivec2 kind[];
layout(location = 0) out vec3 outNormal[];
layout(location = 2) patch out vec4 color;

void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  outNormal[gl_InvocationID] = normal[gl_InvocationID] * 0.5 + 0.1 * kind[gl_InvocationID].x;
  if (gl_InvocationID == 0) {
    color = vec4(normal[1], 0.5);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 2.0;
    gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 3.0;
    gl_TessLevelInner[0] = 4.0;
    gl_TessLevelInner[1] = 2.0;
  }
}

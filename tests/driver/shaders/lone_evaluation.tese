#version 450
layout(triangles, fractional_odd_spacing, cw) in;
layout(location = 0) in vec2 uv[];
layout(location = 1) patch in vec3 tint;
layout(location = 0) out vec4 color;

void main() {
  gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                gl_TessCoord.z * gl_in[2].gl_Position;
  color = vec4(uv[0] * gl_TessCoord.x + uv[2] * gl_TessCoord.y, tint.yz);
}

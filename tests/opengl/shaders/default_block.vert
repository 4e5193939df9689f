#version 460
// The vertex shader's default block is another one, and its locations may be the same.
#ifdef VULKAN
#extension GL_EXT_scalar_block_layout : require
layout(set = 5, binding = 0, std430) uniform Default {
  vec4 moved;
  mat2 turned;
};
#else
layout(location = 0) uniform vec4 moved;
layout(location = 1) uniform mat2 turned;
#endif
layout(location = 0) in vec3 position;
layout(location = 0) out vec2 uv;

void main() {
  gl_Position = vec4(position + moved.xyz * 0.1, 1.0);
  uv = turned * position.xy;
}

#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// One bit of a uniform number is compared twice, for opposite answers.
layout(vertices = 3) out;
layout(set = 0, binding = 0) buffer Written { uint written[1024]; };
layout(set = 0, binding = 1) readonly buffer Small { uint8_t small[64]; };
layout(set = 0, binding = 2) uniform Number { uint number; };
layout(location = 0) out vec4 color[];

void main() {
  uint lane = gl_PrimitiveID, chosen = mix(lane * 4294934528u, number, small[0] < 1us);
  uint64_t values[2] = uint64_t[2](0xfffffffful, 0xfffffffful);
  values[chosen & 1u] = 0xfffffffffffffffful;
  written[2u * lane & 1023u] = uint(values[0] >> 1) + uint(values[1] >> 1);
  written[2u * lane + 1u & 1023u] = uint(values[min(int(chosen), 0)]);
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  color[gl_InvocationID] = vec4(values[0] > values[1] ? 1.0 : 0.25);
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;
}

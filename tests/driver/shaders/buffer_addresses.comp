#version 450
#extension GL_EXT_buffer_reference : require
// Addresses in push constants and in a buffer, of blocks, of an array of blocks, and of what has an address itself.
layout(local_size_x = 64) in;

layout(buffer_reference, std430) buffer Numbers { float values[]; };
layout(buffer_reference, std430) buffer Node {
  vec4 weight;
  Numbers numbers;
};
layout(push_constant) uniform Constants {
  float scale;
  Node node;
};
layout(binding = 0, std430) buffer Table {
  Numbers rows[3];
  Numbers result;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  result.values[i] = scale * (node.weight.y + node.numbers.values[i]) + rows[i % 3].values[i + 1];
}

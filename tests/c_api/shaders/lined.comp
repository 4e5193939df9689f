#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float data[]; };
void main() {
  uint lane = gl_GlobalInvocationID.x;
  float root = sqrt(data[lane]);
  data[lane] = exp2(root);
}

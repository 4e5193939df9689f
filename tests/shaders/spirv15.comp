// target-env: vulkan1.2
// SPDX-License-Identifier: MIT
// SPIR-V 1.5: storage buffers, interface lists with all globals, runtime descriptor arrays.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(std430, set = 0, binding = 0) buffer Data { uint values[]; } data[];
layout(set = 0, binding = 1) uniform sampler2D images[];
shared uint total;
uint counter = 1u;

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint which = data[0].values[i] & 7u;
  total = 0u;
  barrier();
  atomicAdd(total, which * counter);
  barrier();
  vec4 texel = textureLod(images[nonuniformEXT(which)], vec2(i), 0.0);
  data[nonuniformEXT(which)].values[i] = total + uint(texel.x) + uint(data[1].values.length());
}

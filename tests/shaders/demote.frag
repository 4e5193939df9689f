// SPDX-License-Identifier: MIT
// Demotion to helper lanes, which still take part in derivatives, and the query for it.
#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in vec2 p;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(std430, set = 0, binding = 1) buffer Count { uint count; };
layout(location = 0) out vec4 target;

void main() {
  if (p.x * p.y < 0.25)
    demote;
  vec4 texel = texture(image, p * 2.0);
  if (!helperInvocationEXT())
    atomicAdd(count, 1u);
  target = texel + vec4(dFdx(p), dFdy(p));
}

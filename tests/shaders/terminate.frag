// target-env: vulkan1.3
// SPDX-License-Identifier: MIT
// SPIR-V 1.5 and 1.6 forms: demotion by discard, terminate invocation.
#version 450
#extension GL_EXT_terminate_invocation : require
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 target;

void main() {
  if (p.x < 0.0)
    terminateInvocation;
  if (p.y < 0.0)
    discard;
  target = vec4(dFdx(p.xy), p.zw);
}

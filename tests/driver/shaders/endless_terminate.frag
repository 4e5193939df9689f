// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_terminate_invocation : require
layout(location = 0) out vec4 color;
layout(push_constant) uniform Constants { uint step; };

void main() {
  color = vec4(1.0);
  if (gl_FragCoord.x > 33.0)
    for (;;)
      if (step < 0xffffffffu)
        terminateInvocation;
}

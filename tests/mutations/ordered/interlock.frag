// SPDX-License-Identifier: MIT
// Each pixel's place in memory depends on the order of primitives. In some waves, all pixels are discarded within the section.
#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(std430, set = 0, binding = 0) coherent buffer Data { uint data[24 * 24]; };
layout(location = 0) flat in uint number;
layout(location = 0) out vec4 color;
void main() {
  uint place = uint(gl_FragCoord.y) * 24u + uint(gl_FragCoord.x);
  beginInvocationInterlockARB();
  data[place] = data[place] * 3u + number;
  if ((number & 1u) == 0u) discard;
  data[place] += 7u;
  endInvocationInterlockARB();
  color = vec4(gl_FragCoord.xyz / 24.0, float(number & 255u));
}

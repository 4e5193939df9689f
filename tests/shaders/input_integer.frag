// SPDX-License-Identifier: MIT
// Flat integer inputs to signed and unsigned integer render targets.
#version 450
layout(location = 0) flat in ivec4 signedSum;
layout(location = 1) flat in uvec2 unsignedSum;
layout(location = 0) out ivec4 signedTarget;
layout(location = 1) out uvec2 unsignedTarget;

void main() {
  signedTarget = signedSum >> 1;
  unsignedTarget = unsignedSum * 3u + 1u;
}

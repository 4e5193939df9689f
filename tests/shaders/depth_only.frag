// SPDX-License-Identifier: MIT
// A fragment shader without outputs that only discards.
#version 450
layout(location = 0) in float alpha;

void main() {
  if (alpha < 0.5)
    discard;
}

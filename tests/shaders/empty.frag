// SPDX-License-Identifier: MIT
// A fragment shader that does nothing.
#version 450
void main() {}

// SPDX-License-Identifier: MIT
// RUN: not dovetail compile %s --emit=poetry -o %t 2>&1 | FileCheck %s
// CHECK: dovetail: --emit
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

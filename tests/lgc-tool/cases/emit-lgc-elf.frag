// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s -o %t.1
// RUN: dovetail compile %s --emit=elf -o %t.2
// RUN: cmp %t.1 %t.2
// RUN: llvm-readelf -h %t.1 | FileCheck %s
// CHECK: AMDGPU
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

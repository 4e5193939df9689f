// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc %t.ll -o %t.elf
// RUN: llvm-readelf -s %t.elf | FileCheck %s
// CHECK: _amdgpu_vs_main
// CHECK: _amdgpu_ps_main
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

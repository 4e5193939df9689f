// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.elf
// RUN: llvm-readelf -hs %t.elf | FileCheck %s
// CHECK: REL (Relocatable file)
// CHECK: _amdgpu_ps_main
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

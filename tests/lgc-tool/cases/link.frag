// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.vs
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.fs
// RUN: lgc -l %t.state.ll %t.fs %t.vs -o %t.elf
// RUN: llvm-readelf -s %t.elf | FileCheck %s
// CHECK: vs.vertex_main
// CHECK: ps.fragment_main
// CHECK: ps.fragment_epilog
// CHECK: _amdgpu_vs_main
// CHECK: _amdgpu_ps_main
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.vs
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.fs
// RUN: lgc -l -glue=2 %t.state.ll %t.fs %t.vs -o %t.elf
// RUN: llvm-readelf -s %t.elf | FileCheck %s
// CHECK: fragment_epilog
// CHECK-NOT: main
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

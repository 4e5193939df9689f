// SPDX-License-Identifier: MIT
// Glue, which is encoded without IR, has it for who wants to see it.
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.vs
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.fs
// RUN: lgc -l -glue=2 -emit-llvm %t.state.ll %t.fs %t.vs | FileCheck %s
// CHECK: call {{.*}}@llvm.amdgcn.exp
// RUN: lgc -l -glue=2 -print-after-all -filetype=null %t.state.ll %t.fs %t.vs 2>&1 | FileCheck %s --check-prefix=PRINTED
// PRINTED: *** IR Dump After lgc-optimize-hardware-form ***
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

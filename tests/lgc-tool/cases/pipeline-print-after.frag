// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc -print-after=lgc-lower-in-out -filetype=null %t.ll 2>&1 | FileCheck %s
// CHECK: *** IR Dump After lgc-lower-in-out ***
// CHECK: define {{.*}}@main
// CHECK: *** IR Dump After lgc-lower-in-out ***
// CHECK: define {{.*}}@main
//
// The code is the same.
// RUN: lgc %t.ll -o %t.plain.s -filetype=asm
// RUN: lgc -print-after-all -verify-ir %t.ll -o %t.printed.s -filetype=asm 2>/dev/null
// RUN: cmp %t.plain.s %t.printed.s
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

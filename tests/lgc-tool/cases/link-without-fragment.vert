// SPDX-License-Identifier: MIT
// What is missing is the null fragment shader.
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.vs
// RUN: lgc -l %t.state.ll %t.vs -o %t.elf
// RUN: llvm-readelf -s %t.elf | FileCheck %s
// CHECK: ps.null_fragment
#version 450
layout(location = 0) in vec4 a;
void main() { gl_Position = a; }

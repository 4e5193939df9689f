// SPDX-License-Identifier: MIT
// What -emit-llvm writes of a pipeline is read back, and is then what it was.
// RUN: dovetail compile %s --gpu gfx803 --emit=lgc-pipeline -o %t.ll
// RUN: lgc -mcpu=gfx803 -emit-llvm %t.ll -filetype=asm -o %t.text.ll
// RUN: FileCheck %s < %t.text.ll
// CHECK: call {{.*}}@llvm.amdgcn.exp.compr
// RUN: lgc -mcpu=gfx803 -passes= %t.text.ll -filetype=asm -o %t.again.ll
// RUN: diff -I '^; ModuleID' %t.text.ll %t.again.ll
//
// RUN: lgc -mcpu=gfx803 -emit-llvm %t.ll -filetype=obj -o %t.bc
// RUN: lgc -mcpu=gfx803 -passes= %t.bc | FileCheck %s
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

// SPDX-License-Identifier: MIT
// LLVM's passes run on the module of all shaders; ours on the module of each, of which the file has one behind another.
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc '-passes=default<O2>' %t.ll -o %t.o2.ll -filetype=asm
// RUN: FileCheck %s --input-file=%t.o2.ll
// CHECK-COUNT-1: ModuleID
// CHECK-NOT: ModuleID
// RUN: lgc %t.o2.ll -filetype=null
//
// RUN: lgc -passes=lgc-set-attributes,lgc-replay %t.ll -o %t.replayed.ll -filetype=asm
// RUN: FileCheck %s --check-prefix=OWN --input-file=%t.replayed.ll
// OWN-COUNT-2: ModuleID
// OWN-NOT: ModuleID
// RUN: lgc -extract=2 %t.replayed.ll | FileCheck %s --check-prefix=CODE
// CODE: v_sqrt_f32
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

// SPDX-License-Identifier: MIT
// The fragment shader first, then the other for what it reads: of four components one.
// RUN: dovetail compile %S/inputs/part.vert %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc -part %t.ll -o %t.fs
// RUN: lgc -other=%t.fs %t.ll -o %t.vs
// RUN: lgc -l %t.ll %t.fs %t.vs | FileCheck %s
// CHECK: exp param0 v{{[0-9]+}}, off, off, off
// CHECK-NOT: exp param1
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = vec4(a.x); }

// SPDX-License-Identifier: MIT
// Two locations of which a component each is read are one parameter, or stay two.
// RUN: dovetail compile %S/inputs/part.vert %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc %t.ll | FileCheck %s --check-prefix=PACKED
// RUN: lgc -pack-in-out=0 %t.ll | FileCheck %s
// RUN: lgc -part -pack-in-out=0 %t.ll -o %t.fs
// RUN: lgc -other=%t.fs %t.ll -o %t.vs
// RUN: lgc -l %t.ll %t.fs %t.vs | FileCheck %s
// PACKED: exp param0
// PACKED-NOT: exp param1
// CHECK: exp param0
// CHECK: exp param1
#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;
void main() { color = vec4(a.x, b.y, 0.0, 1.0); }

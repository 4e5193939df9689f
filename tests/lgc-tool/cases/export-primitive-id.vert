// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s %S/inputs/reads_primitive_id.frag --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -export-primitive-id -extract=1 %t.ll -o %t.vs
// RUN: dovetail compile %s %S/inputs/reads_primitive_id.frag --emit=lgc -o %t.both.ll
// RUN: lgc -unlinked -extract=2 %t.both.ll -o %t.fs
// RUN: lgc -l %t.state.ll %t.vs %t.fs | FileCheck %s
// CHECK: exp param0
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.without
// RUN: not lgc -l %t.state.ll %t.without %t.fs 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: was compiled not to hand on the primitive's number, which the fragment shader reads
// RUN: not lgc -part -export-primitive-id %t.state.ll 2>&1 | FileCheck %s --check-prefix=NEEDS
// NEEDS: -next and -export-primitive-id need -unlinked
#version 450
layout(location = 0) in vec4 a;
void main() { gl_Position = a; }

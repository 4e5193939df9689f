// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --optimization-level 1 --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.vs
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.fs
// RUN: not lgc -l %t.state.ll %t.vs %t.fs -o %t.elf 2>&1 | FileCheck %s
// CHECK: lgc: unsupported: {{.*}} was compiled with other optimisation than the pipeline has for it
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

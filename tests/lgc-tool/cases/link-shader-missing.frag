// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -unlinked -extract=1 %t.ll -o %t.vs
// RUN: not lgc -l %t.state.ll %t.vs -o %t.elf 2>&1 | FileCheck %s
// CHECK: lgc: state contradicts shader: the pipeline has a fragment shader, and none was added
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

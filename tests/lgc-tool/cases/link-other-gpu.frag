// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.state.ll
// RUN: lgc -mcpu=gfx803 -unlinked -extract=2 %t.ll -o %t.fs
// RUN: not lgc -l %t.state.ll %t.fs -o %t.elf 2>&1 | FileCheck %s
// CHECK: the ELF file is for another GPU than gfx900
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: not lgc -l %t.ll %s -o %t.elf 2>&1 | FileCheck %s
// CHECK: lgc: invalid input: {{.*}}link-no-elf.frag: the ELF file: it is none
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

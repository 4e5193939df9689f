// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: lgc -unlinked -extract=2 %t.ll -o %t.fs
// RUN: not lgc -l -extract=1 %t.ll %t.fs -o %t.elf 2>&1 | FileCheck %s
// CHECK: lgc: invalid input: {{.*}}: it has no lgc.graphics.state
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

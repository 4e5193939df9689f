// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: not lgc -unlinked %t.ll -o %t.elf 2>&1 | FileCheck %s
// CHECK: lgc: unsupported: {{.*}}: -unlinked: the module has several shaders, and a file holds one
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

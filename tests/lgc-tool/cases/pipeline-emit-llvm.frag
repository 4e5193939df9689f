// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: not lgc -emit-llvm %t.ll 2>&1 | FileCheck %s
// CHECK: lgc: unsupported: {{.*}}: -emit-llvm is for modules of one shader
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

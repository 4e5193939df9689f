// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: not lgc -unlinked -extract=2 -filetype=asm %t.ll 2>&1 | FileCheck %s
// CHECK: lgc: unsupported: there is no text of a shader or of glue that is to be linked
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

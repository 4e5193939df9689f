// SPDX-License-Identifier: MIT
// RUN: not lgc -glue=1 %s 2>&1 | FileCheck %s
// CHECK: lgc: invalid input: -glue: needs -l, and glue is counted from 1
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc %t.ll | FileCheck %s
// CHECK: v_sqrt_f32
// CHECK: exp mrt0
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

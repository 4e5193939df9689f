// SPDX-License-Identifier: MIT
// A vertex shader that writes a position only is put in front.
// RUN: dovetail compile %s --emit=lgc -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: lgc -extract=2 %t.ll | FileCheck --check-prefix=ASM %s
// CHECK: @lgc.write.builtin.output
// CHECK: !lgc.pipeline.state
// CHECK: @lgc.sqrt.v4f32.v4f32
// ASM: v_sqrt_f32
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

// SPDX-License-Identifier: MIT
// Of a pipeline, the IR of every program that the hardware runs, with what its state asks for.
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: lgc -emit-llvm %t.ll | FileCheck %s
// CHECK: define {{.*}}amdgpu_vs
// CHECK: define {{.*}}amdgpu_ps
// CHECK: call {{.*}}@llvm.amdgcn.exp
//
// RUN: lgc -part -emit-llvm %t.ll | FileCheck %s --check-prefix=PART
// PART-NOT: amdgpu_vs
// PART: define {{.*}}amdgpu_ps
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }

; SPDX-License-Identifier: MIT
; What LLVM's own optimisations leave is read again.
; RUN: lgc "-passes=default<O2>" %s -o %t.ll
; RUN: lgc %t.ll | FileCheck %s
; CHECK: v_sqrt_f32
define void @main() {
  %v = call float @lgc.read.generic.input(i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  %s = call float @lgc.sqrt(float %v)
  call void @lgc.write.generic.output(float %s, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
declare float @lgc.sqrt(float)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 4}

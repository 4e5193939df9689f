; SPDX-License-Identifier: MIT
; RUN: lgc -print-after-all -filetype=null %s 2>&1 | FileCheck %s
; CHECK: IR Dump After lgc-set-attributes
; CHECK: IR Dump After lgc-replay
; CHECK: IR Dump After lgc-fold-inlinable-uniforms
; CHECK: IR Dump After lgc-apply-knowledge
; CHECK: IR Dump After lgc-optimize-shader
; CHECK: IR Dump After lgc-fold-inlinable-uniforms
; CHECK: IR Dump After lgc-apply-knowledge
; CHECK: IR Dump After lgc-collect-resources
; CHECK: IR Dump After lgc-lower-in-out
; CHECK: IR Dump After lgc-lower-user-data
; CHECK: IR Dump After lgc-make-entry-point
; CHECK: IR Dump After lgc-optimize-hardware-form
; CHECK: IR Dump After lgc-finish-entry-point

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

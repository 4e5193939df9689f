; SPDX-License-Identifier: MIT
; A compile goes on from where its module is.
; RUN: lgc %s -o %t.whole.s -filetype=asm
; RUN: lgc -passes=lgc-set-attributes,lgc-replay %s -o %t.replayed.ll
; RUN: lgc %t.replayed.ll -o %t.replayed.s -filetype=asm
; RUN: diff %t.whole.s %t.replayed.s
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader,lgc-collect-resources,lgc-lower-in-out %s -o %t.lowered.ll
; RUN: lgc %t.lowered.ll -o %t.lowered.s -filetype=asm
; RUN: diff %t.whole.s %t.lowered.s
; RUN: lgc -emit-llvm %s -o %t.finished.ll
; RUN: lgc %t.finished.ll -o %t.finished.s -filetype=asm
; RUN: diff %t.whole.s %t.finished.s
; RUN: FileCheck %s < %t.whole.s
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
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}

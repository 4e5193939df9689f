; SPDX-License-Identifier: MIT
; What keeps denormals of halves is ours, and a compile that goes on from a file keeps it, too.
; RUN: lgc -passes=lgc-set-attributes,lgc-replay -filetype=asm %s -o %t.ll
; RUN: FileCheck %s --check-prefix=IR < %t.ll
; IR: "target-features"="-mad-mix-insts"
; RUN: lgc %t.ll -filetype=asm | FileCheck %s
; CHECK-NOT: v_mad_mix
; CHECK: v_cvt_f16_f32
define void @main() {
  %a = call float @lgc.read.generic.input(i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  %b = call float @lgc.read.generic.input(i32 0, i32 0, i32 1, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  %h = fptrunc float %a to half
  %x = fpext half %h to float
  %p = fmul contract float %x, %b
  %s = fadd contract float %p, %a
  %t = fptrunc float %s to half
  %r = fpext half %t to float
  call void @lgc.write.generic.output(float %r, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4, !"common", !2}
!1 = !{}
!2 = !{!"fp16DenormMode", i32 1}

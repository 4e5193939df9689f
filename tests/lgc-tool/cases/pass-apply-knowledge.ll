; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-apply-knowledge %s | FileCheck %s
; A varying that is the same constant in every vertex.
; CHECK-NOT: lgc.smooth.fragment.input
; CHECK: float 1.000000e+00
define void @main() {
  %v = call float @lgc.read.generic.input(i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i1 poison, i1 poison)
  call void @lgc.write.generic.output(float %v, i32 0, i32 0, i32 0, i32 1, i32 0, i1 poison)
  ret void
}
declare float @lgc.read.generic.input(i32, i32, i32, i32, i32, i32, i1, i1)
declare void @lgc.write.generic.output(float, i32, i32, i32, i32, i32, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{!"knowledge", !3}
!3 = !{!"constantInputs", !4}
!4 = !{!5}
!5 = !{!"slot", i32 1, !"value", i32 1065353216}

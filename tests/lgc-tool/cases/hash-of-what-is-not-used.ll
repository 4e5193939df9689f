; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes,lgc-replay,lgc-apply-knowledge %s | FileCheck %s
; The value of an input that the function does not read is not in its hash.
; CHECK: define void @main() {{.*}}!lgc.hash ![[HASH:[0-9]+]]
; CHECK: ![[HASH]] = !{!"low", i64 7}
define void @main() !lgc.hash !6 {
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
!5 = !{!"slot", i32 2, !"value", i32 1065353216}
!6 = !{!"low", i64 7}

; SPDX-License-Identifier: MIT
; RUN: lgc %s | FileCheck %s
; CHECK: exp pos0 {{.*}} done
define void @main() {
  call void @lgc.write.builtin.output(<4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, i32 0, i1 poison, i1 poison)
  ret void
}
declare void @lgc.write.builtin.output(<4 x float>, i32, i1, i1)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 0}
!1 = !{}

; SPDX-License-Identifier: MIT
; RUN: not lgc %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: the pipeline state has packed parameters with other components than 0 to 3
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{}
!1 = !{!"knowledge", !3}
!3 = !{!"packedParameters", !4}
!4 = !{!5}
!5 = !{!"packed", !6}
!6 = !{!"component", i32 4}

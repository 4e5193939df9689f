; SPDX-License-Identifier: MIT
; What nobody asks for has no effect.
; RUN: lgc -filetype=null %s
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 5}
!1 = !{!"shaderOptions", !2}
!2 = !{!4, !4, !4, !4, !4, !3}
!3 = !{!"subgroupSize", i32 32}
!4 = !{}

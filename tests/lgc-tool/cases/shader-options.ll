; SPDX-License-Identifier: MIT
; RUN: lgc -passes=lgc-set-attributes %s | FileCheck %s
; The options of fragment shaders are the fifth.
; CHECK: "amdgpu-num-vgpr"="24"
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{!"shaderOptions", !2}
!2 = !{!3, !3, !3, !3, !4}
!3 = !{}
!4 = !{!"vgprLimit", i32 24}

; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-lower-in-out %s 2>&1 | FileCheck %s
; Transform feedback has four buffers.
; CHECK: lgc: invalid input: the module's lgc.resource.usage is malformed
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!lgc.resource.usage = !{!2}
!0 = !{}
!1 = !{}
!2 = !{!"xfb", !3}
!3 = !{!"outputs", !4}
!4 = !{!5}
!5 = !{!"buffer", i32 4}
!lgc.step = !{!90}
!90 = !{!"lgc-collect-resources"}

; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-lower-in-out %s 2>&1 | FileCheck %s
; There are two of GL's colours.
; CHECK: lgc: invalid input: the module's lgc.resource.usage is malformed
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!lgc.resource.usage = !{!2}
!0 = !{!"stage", i32 4}
!1 = !{}
!2 = !{!"colorInputs", !3}
!3 = !{i32 2, i32 15}
!lgc.step = !{!90}
!90 = !{!"lgc-collect-resources"}
